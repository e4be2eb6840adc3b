package play_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play"
)

// TestRESTRefusals: who may not is told so before anything else, and what the
// document does not say is refused.
//
// clause: P-40, P-42, P-48
func TestRESTRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	url := w.serve(t)
	greta, nobody := as(t, url, "greta"), program{url: url}
	with := func(name string, value any) object {
		n := w.newPlay()
		if n[name] = value; value == nil {
			delete(n, name)
		}
		return n
	}
	long := strings.Repeat("ż", 8001)
	id := uuid.NewString()
	for what, c := range map[string]struct {
		who          program
		method, path string
		body         any
		headers      []string
		status       int
		code         string
	}{
		"no login":                   {nobody, "GET", "/api/plays/", nil, nil, 401, "unauthenticated"},
		"no login for what is wrong": {nobody, "POST", "/api/plays/", object{"dice": 6}, nil, 401, "unauthenticated"},
		"a made-up login":            {program{url, "pharos_login=x"}, "GET", "/api/plays/", nil, nil, 401, "unauthenticated"},
		"a bearer beside it":         {greta, "GET", "/api/plays/", nil, []string{"Authorization", "Bearer x"}, 401, "unauthenticated"},
		"another site":               {greta, "POST", "/api/plays/", w.newPlay(), []string{"Sec-Fetch-Site", "cross-site"}, 403, "forbidden"},
		"another origin":             {greta, "DELETE", "/api/plays/" + id + "/access/", nil, []string{"Sec-Fetch-Site", "same-site"}, 403, "forbidden"},
		"a login from another site": {nobody, "POST", "/api/session/", object{"username": "greta", "password": password},
			[]string{"Sec-Fetch-Site", "cross-site"}, 403, "forbidden"},
		"a wrong password":    {nobody, "POST", "/api/session/", object{"username": "greta", "password": "x"}, nil, 401, "unauthenticated"},
		"a login of more":     {nobody, "POST", "/api/session/", object{"username": "greta", "password": "x", "admin": true}, nil, 400, "invalid_request"},
		"a form":              {greta, "POST", "/api/plays/", "a=b", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "invalid_request"},
		"no JSON":             {greta, "POST", "/api/plays/", "{", nil, 400, "invalid_request"},
		"no body":             {greta, "POST", "/api/plays/", nil, nil, 400, "invalid_request"},
		"U+0000":              {greta, "POST", "/api/plays/", with("brief", "a\x00"), nil, 400, "invalid_request"},
		"nothing there":       {greta, "GET", "/api/", nil, nil, 404, "not_found"},
		"no slash":            {greta, "GET", "/api/plays", nil, nil, 404, "not_found"},
		"another method":      {greta, "PUT", "/api/plays/", object{}, nil, 405, "invalid_request"},
		"no such play":        {greta, "GET", "/api/plays/" + id + "/", nil, nil, 404, "not_found"},
		"an id that is none":  {greta, "GET", "/api/plays/1/", nil, nil, 400, "invalid_request"},
		"a page of none":      {greta, "GET", "/api/plays/" + id + "/journal/?limit=0", nil, nil, 400, "invalid_request"},
		"a page too large":    {greta, "GET", "/api/plays/" + id + "/journal/?limit=21", nil, nil, 400, "invalid_request"},
		"no number":           {greta, "GET", "/api/plays/" + id + "/journal/?offset=x", nil, nil, 400, "invalid_request"},
		"an unknown member":   {greta, "POST", "/api/plays/", with("dice", 6), nil, 400, "invalid_request"},
		"no brief":            {greta, "POST", "/api/plays/", with("brief", nil), nil, 400, "invalid_request"},
		"an empty brief":      {greta, "POST", "/api/plays/", with("brief", ""), nil, 400, "invalid_request"},
		"a long brief":        {greta, "POST", "/api/plays/", with("brief", long), nil, 400, "invalid_request"},
		"a blank brief":       {greta, "POST", "/api/plays/", with("brief", "\u2003"), nil, 422, "unprocessable"},
		"an unknown mode":     {greta, "POST", "/api/plays/", with("mode", "war"), nil, 400, "invalid_request"},
		"an unknown category": {greta, "POST", "/api/plays/", with("auto_approve", []string{"secret"}), nil, 400, "invalid_request"},
		"a node twice":        {greta, "POST", "/api/plays/", with("published_node_ids", []string{"harbor", "harbor"}), nil, 400, "invalid_request"},
		"no nodes":            {greta, "POST", "/api/plays/", with("published_node_ids", []string{}), nil, 400, "invalid_request"},
		"no scene":            {greta, "POST", "/api/plays/", with("published_node_ids", []string{"mira"}), nil, 422, "unprocessable"},
		"an unknown node":     {greta, "POST", "/api/plays/", with("published_node_ids", []string{"harbor", "moon"}), nil, 422, "unprocessable"},
		"no decisions": {greta, "POST", "/api/plays/" + id + "/review/",
			object{"operation_id": id, "expected_version": 1, "decisions": []object{}}, nil, 400, "invalid_request"},
		"an undecided decision": {greta, "POST", "/api/plays/" + id + "/review/", object{"operation_id": id, "expected_version": 1,
			"decisions": []object{{"id": id, "decision": "pending"}}}, nil, 400, "invalid_request"},
	} {
		a := c.who.send(t, c.method, c.path, c.body, c.headers...).is(t, what, c.status, c.code)
		if got := a.header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%s: it is %s", what, got)
		}
		if (a.status == 401) != (a.header.Get("WWW-Authenticate") != "") || (a.status == 405) != (a.header.Get("Allow") != "") {
			t.Errorf("%s: %v", what, a.header)
		}
		if strings.Contains(a.text, canary) {
			t.Errorf("%s quotes what was sent: %s", what, a.text)
		}
	}
	if list := greta.send(t, "GET", "/api/plays/", nil).body["plays"].([]any); len(list) != 0 {
		t.Errorf("a refusal left %v", list)
	}
	w.sizes(t, greta)
}

// sizes holds the texts and lists of a new assignment to their bounds from
// within.
func (w world) sizes(t *testing.T, greta program) {
	t.Helper()
	n := w.newPlay()
	for _, name := range []string{"character", "brief", "instructions", "boundaries", "return_condition", "gm_notes"} {
		n[name] = strings.Repeat("🜁", 8000)
	}
	n["auto_approve"] = []string{"resource", "relationship", "discovery", "narrative"}
	greta.send(t, "POST", "/api/plays/", n).is(t, "texts as long as may be", 201, "")
	n = w.newPlay()
	for _, name := range []string{"instructions", "gm_notes", "auto_approve"} {
		delete(n, name)
	}
	greta.send(t, "POST", "/api/plays/", n).is(t, "nothing that may be left out", 201, "")
}

// TestRESTLogin: a login ends where it is ended, and where another begins in the
// same place.
//
// clause: P-47
func TestRESTLogin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	url := w.serve(t)
	first := as(t, url, "greta")
	a := first.send(t, "POST", "/api/session/", object{"username": "greta", "password": password})
	second := program{url: url}
	second.cookie, _, _ = strings.Cut(a.header.Get("Set-Cookie"), ";")
	first.send(t, "GET", "/api/session/", nil).is(t, "the login that was replaced", 401, "unauthenticated")
	second.send(t, "GET", "/api/session/", nil).is(t, "the login that replaced it", 200, "")
	out := second.send(t, "DELETE", "/api/session/", nil).is(t, "log out", 204, "")
	if got := out.header.Get("Set-Cookie"); !strings.HasPrefix(got, "pharos_login=; ") || !strings.Contains(got, "Max-Age=0") {
		t.Errorf("the cookie stays: %s", got)
	}
	second.send(t, "GET", "/api/session/", nil).is(t, "the login that was ended", 401, "unauthenticated")
	second.send(t, "DELETE", "/api/session/", nil).is(t, "log out again", 204, "")
	for _, attribute := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if got := a.header.Get("Set-Cookie"); !strings.Contains(got, attribute) {
			t.Errorf("the cookie has no %s: %s", attribute, got)
		}
	}
}

// TestRESTSecure: behind TLS the cookie is bound to its host, and the plain one
// counts for nothing.
//
// clause: P-47
func TestRESTSecure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service = play.New(play.Config{Pool: w.pool, Origin: "https://play.example", Secure: true})
	greta := as(t, w.serve(t), "greta")
	if !strings.HasPrefix(greta.cookie, "__Host-pharos_login=") {
		t.Fatalf("the cookie is %s", greta.cookie)
	}
	greta.send(t, "GET", "/api/session/", nil).is(t, "the bound cookie", 200, "")
	greta.cookie = strings.TrimPrefix(greta.cookie, "__Host-")
	greta.send(t, "GET", "/api/session/", nil).is(t, "the plain cookie", 401, "unauthenticated")
}
