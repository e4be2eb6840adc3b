package web

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Route is a page or a form: what its method and address are.
type Route struct{ Method, Pattern string }

// route is a Route and who answers it.
type route struct {
	Route
	handle func(*visit) error
	open   bool // for anybody; the others are for who is logged in
	// final says that a form which met a passing trouble is not offered to be
	// sent again as it was: it holds a password, or makes a secret.
	final bool
}

func get(pattern string, handle func(*visit) error) route {
	return route{Route: Route{http.MethodGet, pattern}, handle: handle}
}

func post(pattern string, handle func(*visit) error) route {
	return route{Route: Route{http.MethodPost, pattern}, handle: handle}
}

func (r route) forAnybody() route { r.open = true; return r }
func (r route) once() route       { r.final = true; return r }

// table is every route that there is.
func table() []route {
	const (
		play    = "/plays/{play}/"
		story   = "/scenarios/{scenario}/"
		version = story + "versions/{version}/"
		node    = version + "nodes/{node}/"
		page    = "/wiki/pages/{page}/"
	)
	return []route{
		get("/", (*visit).home).forAnybody(),
		get("/login/", (*visit).loginForm).forAnybody(),
		post("/login/", (*visit).login).forAnybody().once(),
		post("/logout/", (*visit).logout).forAnybody().once(),
		post("/language/", (*visit).changeLanguage).forAnybody(),
		get("/account/", (*visit).account),

		get("/plays/", (*visit).listPlays),
		get("/plays/new/", (*visit).createForm),
		post("/plays/new/", (*visit).create),
		get(play, (*visit).showPlay),
		get(play+"token/", (*visit).toPlay),
		post(play+"token/", (*visit).generateToken).once(),
		post(play+"token/revoke/", (*visit).revokeToken),
		get(play+"journal/", (*visit).journal),
		get(play+"review/", (*visit).reviewForm),
		post(play+"review/", (*visit).review),
		get(play+"report/", (*visit).report),

		get("/scenarios/", (*visit).listScenarios),
		get("/scenarios/new/", (*visit).scenarioForm),
		post("/scenarios/new/", (*visit).createScenario),
		get(story, (*visit).showScenario),
		post(story+"versions/", (*visit).startVersion),
		get(version, (*visit).showVersion),
		post(version+"publish/", (*visit).publish),
		get(version+"add/", (*visit).nodeForm),
		post(version+"add/", (*visit).createNode),
		get(node, (*visit).showNode),
		get(node+"edit/", (*visit).editNodeForm),
		post(node+"edit/", (*visit).editNode),
		get(node+"delete/", (*visit).deleteNodeForm),
		post(node+"delete/", (*visit).deleteNode),

		get("/wiki/", (*visit).listWiki),
		get("/wiki/new/", (*visit).wikiForm),
		post("/wiki/new/", (*visit).createWiki),
		get(page, (*visit).showWiki),
		get(page+"edit/", (*visit).editWikiForm),
		post(page+"edit/", (*visit).editWiki),
		get(page+"delete/", (*visit).deleteWikiForm),
		post(page+"delete/", (*visit).deleteWiki),

		get("/tokens/", (*visit).listTokens),
		get("/tokens/issue/", (*visit).toTokens),
		post("/tokens/issue/", (*visit).issueToken).once(),
		post("/tokens/{token}/revoke/", (*visit).revokeAuthorToken),
	}
}

// Routes lists every page and form, in the order of their addresses.
func Routes() []Route {
	var routes []Route
	for _, r := range table() {
		routes = append(routes, r.Route)
	}
	slices.SortFunc(routes, func(a, b Route) int {
		if c := strings.Compare(a.Pattern, b.Pattern); c != 0 {
			return c
		}
		return strings.Compare(a.Method, b.Method)
	})
	return routes
}

// mount gives every address the routes of its methods, an answer to the methods
// that it does not have, and everything else the page for what is not there.
func (s *Site) mount() {
	type methods map[string]route
	addresses := map[string]methods{}
	for _, r := range table() {
		if addresses[r.Pattern] == nil {
			addresses[r.Pattern] = methods{}
		}
		addresses[r.Pattern][r.Method] = r
		if r.Method == http.MethodGet {
			addresses[r.Pattern][http.MethodHead] = r
			s.readable[r.Pattern] = true
		}
	}
	for pattern, routes := range addresses {
		allow := strings.Join(slices.Sorted(maps.Keys(routes)), ", ")
		s.mux.HandleFunc(pattern+"{$}", func(w http.ResponseWriter, r *http.Request) {
			to, ok := routes[r.Method]
			if !ok {
				w.Header().Set("Allow", allow)
				s.Refuse(w, r, http.StatusMethodNotAllowed)
				return
			}
			s.serve(w, r, to)
		})
	}
	s.mux.Handle(s.style.path, s.style)
	s.mux.Handle(s.icon.path, s.icon)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.Refuse(w, r, http.StatusNotFound) })
}
