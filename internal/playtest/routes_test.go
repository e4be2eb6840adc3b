package playtest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generated/author"
	"github.com/pharos-mcp/pharos/generated/play"
	"github.com/pharos-mcp/pharos/generated/playapi"
	"github.com/pharos-mcp/pharos/services/play/web"
)

// listed notes what a router is given.
type listed struct{ patterns []string }

// HandleFunc implements playapi.ServeMux.
func (l *listed) HandleFunc(pattern string, _ func(http.ResponseWriter, *http.Request)) {
	l.patterns = append(l.patterns, pattern)
}

// ServeHTTP implements http.Handler.
func (*listed) ServeHTTP(http.ResponseWriter, *http.Request) {}

// routes is everything that can be asked for, by what answers it: operations of
// the REST interface and pages as "GET /plays/{play}/", tools as "play
// get_play_context", and the messages that every MCP server has.
func routes() []string {
	all := []string{"GET /healthz", "GET /readyz"}
	operations := &listed{}
	playapi.HandlerWithOptions(nil, playapi.StdHTTPServerOptions{BaseRouter: operations})
	for _, pattern := range operations.patterns {
		all = append(all, strings.TrimSuffix(pattern, "{$}"))
	}
	for _, page := range web.Routes() {
		all = append(all, page.Method+" "+page.Pattern)
	}
	for server, catalog := range map[string]tool.Catalog{"play": play.Catalog(nil), "author": author.Catalog(nil)} {
		for _, message := range []string{"initialize", "ping", "tools/list"} {
			all = append(all, server+" "+message)
		}
		for _, op := range catalog.Operations {
			all = append(all, server+" "+op.Tool)
		}
	}
	slices.Sort(all)
	return all
}

// without gives those of some names that another list has not.
func without(names, have []string) (missing []string) {
	for _, name := range names {
		if !slices.Contains(have, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// TestRoutes holds the list of routes against a few that must be there, and
// against what a new one does to the tests that go through all.
func TestRoutes(t *testing.T) {
	t.Parallel()
	all := routes()
	for _, name := range []string{
		"GET /", "GET /api/plays/", "POST /api/plays/{id}/review/", "POST /plays/new/", "play commit_play_turn", "author search_wiki",
	} {
		if !slices.Contains(all, name) {
			t.Errorf("%s is not listed", name)
		}
	}
	if got := without(append(all, "GET /new/"), names(requests)); !slices.Equal(got, []string{"GET /new/"}) {
		t.Errorf("without a request are %q", got)
	}
	if got := without(append(all, "GET /new/"), matrixRoutes(t)); !slices.Equal(got, []string{"GET /new/"}) {
		t.Errorf("without a row are %q", got)
	}
}
