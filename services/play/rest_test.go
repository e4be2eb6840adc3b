package play_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// program is a program of somebody who may have logged in.
type program struct {
	url    string
	cookie string
}

// answer is what a program is told.
type answer struct {
	status int
	header http.Header
	text   string
	body   object // of JSON
}

// serve starts the service for programs.
func (w world) serve(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(w.service.Handler())
	t.Cleanup(server.Close)
	return server.URL
}

// as logs somebody in.
func as(t *testing.T, url, username string) program {
	t.Helper()
	p := program{url: url}
	a := p.send(t, "POST", "/api/session/", object{"username": username, "password": password})
	if a.status != http.StatusOK {
		t.Fatalf("%s: %d %s", username, a.status, a.text)
	}
	p.cookie, _, _ = strings.Cut(a.header.Get("Set-Cookie"), ";")
	return p
}

// send sends a request; a body is JSON, or a text as it is. Headers are names
// and values in turn.
func (p program) send(t *testing.T, method, path string, body any, headers ...string) answer {
	t.Helper()
	var text []byte
	switch body := body.(type) {
	case nil:
	case string:
		text = []byte(body)
	default:
		var err error
		if text, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.cookie != "" {
		r.Header.Set("Cookie", p.cookie)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	reply, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	read, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{status: reply.StatusCode, header: reply.Header, text: string(read)}
	if strings.HasSuffix(reply.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(read, &a.body); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// is checks the status and, of a refusal, its code.
func (a answer) is(t *testing.T, what string, status int, code string) answer {
	t.Helper()
	if got, _ := a.body["code"].(string); a.status != status || code != "" && got != code {
		t.Errorf("%s: %d %s, want %d %s", what, a.status, a.text, status, code)
	}
	if a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: it may be kept: %v", what, a.header)
	}
	return a
}

// newPlay is the body of a new assignment.
func (w world) newPlay() object {
	return object{
		"id": uuid.NewString(), "scenario_id": w.scenario.String(), "source_version": 1, "player_username": "adam",
		"mode": "absence", "language": "en", "character": "Arin", "brief": "The party sails.", "instructions": "Quiet.",
		"boundaries": "No deaths.", "return_condition": "Dawn.", "gm_notes": canary,
		"published_node_ids": []string{"mira", "harbor"}, "auto_approve": []string{"narrative"},
	}
}

// TestREST goes through what a game master and a player do, programs of both.
//
// clause: P-40, P-41, P-42, P-43, P-45, P-06
func TestREST(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	url := w.serve(t)
	greta, adam, sten := as(t, url, "greta"), as(t, url, "adam"), as(t, url, "sten")
	if a := greta.send(t, "GET", "/api/session/", nil).is(t, "who", 200, ""); a.body["username"] != "greta" {
		t.Errorf("it is %v", a.body)
	}

	// Creation is once, however often.
	n := w.newPlay()
	created := greta.send(t, "POST", "/api/plays/", n).is(t, "create", 201, "")
	want := object{
		"id": n["id"], "role": "gm", "scenario_id": n["scenario_id"], "scenario_title": "The lighthouse", "source_version": 1.,
		"gm": object{"username": "greta", "display_name": "greta"}, "player": object{"username": "adam", "display_name": "adam"},
		"mode": "absence", "language": "en", "status": "active", "version": 1., "character": "Arin", "brief": "The party sails.",
		"instructions": "Quiet.", "boundaries": "No deaths.", "return_condition": "Dawn.", "gm_notes": canary,
		"published_node_ids": []any{"harbor", "mira"}, "auto_approve": []any{"narrative"}, "memory_markdown": "",
		"current_scene": "harbor", "summary": nil, "pending_consequences": 0.,
	}
	if diff := cmp.Diff(want, untimed(created.body)); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	again := greta.send(t, "POST", "/api/plays/", n).is(t, "create again", 200, "")
	if diff := cmp.Diff(want, untimed(again.body)); diff != "" {
		t.Errorf("created again (-want +got):\n%s", diff)
	}
	n["brief"] = "Other."
	greta.send(t, "POST", "/api/plays/", n).is(t, "create otherwise", 409, "")

	// The game master and the player see it, each their own; others do not.
	path := "/api/plays/" + n["id"].(string) + "/"
	seen := adam.send(t, "GET", path, nil).is(t, "get as the player", 200, "")
	delete(want, "gm_notes")
	want["role"] = "player"
	if diff := cmp.Diff(want, untimed(seen.body)); diff != "" {
		t.Errorf("the player sees (-want +got):\n%s", diff)
	}
	for what, c := range map[string]struct {
		method, path string
		body         any
	}{
		"get": {"GET", path, nil}, "token": {"POST", path + "access/", nil}, "revoke": {"DELETE", path + "access/", nil},
		"journal": {"GET", path + "journal/", nil}, "consequences": {"GET", path + "consequences/", nil},
		"report": {"GET", path + "report/", nil},
		"review": {"POST", path + "review/", object{"operation_id": uuid.NewString(), "expected_version": 1,
			"decisions": []object{{"id": uuid.NewString(), "decision": "approved"}}}},
	} {
		sten.send(t, c.method, c.path, c.body).is(t, what+" as a stranger", 404, "not_found")
	}
	for role, p := range map[string]program{"gm": greta, "player": adam} {
		list := p.send(t, "GET", "/api/plays/", nil).is(t, "list", 200, "").body["plays"].([]any)
		if len(list) != 1 || list[0].(object)["role"] != role {
			t.Errorf("%s has %v", role, list)
		}
	}
	if list := sten.send(t, "GET", "/api/plays/", nil).body["plays"].([]any); len(list) != 0 {
		t.Errorf("a stranger has %v", list)
	}

	// A token is there once, and a new one replaces it.
	first := adam.send(t, "POST", path+"access/", nil).is(t, "token", 201, "").body["token"].(string)
	second := greta.send(t, "POST", path+"access/", nil).is(t, "token again", 201, "").body["token"].(string)
	if first == second || !strings.HasPrefix(second, assignment.TokenPrefix) {
		t.Errorf("the tokens are %s and %s", first, second)
	}
	if a := greta.send(t, "GET", path, nil); a.body["access"] == nil || a.body["version"] != 1. || strings.Contains(a.text, second) {
		t.Errorf("with a token: %s", a.text)
	}
	adam.send(t, "DELETE", path+"access/", nil).is(t, "revoke", 204, "")
	if a := greta.send(t, "GET", path, nil); a.body["access"] != nil {
		t.Errorf("without a token: %s", a.text)
	}
	w.review(t, greta, adam, path)
}

// review plays a turn and decides about it.
func (w world) review(t *testing.T, greta, adam program, path string) {
	t.Helper()
	id := uuid.MustParse(strings.Split(path, "/")[3])
	w.players(t, assignment.Seat{AssignmentID: id, PlayerID: w.adam.ID}).must(t, "commit_play_turn", turn(1))
	page := adam.send(t, "GET", path+"consequences/", nil).is(t, "consequences", 200, "")
	consequences := page.body["consequences"].([]any)
	if len(consequences) != 2 || page.body["total"] != 2. {
		t.Fatalf("the consequences: %s", page.text)
	}
	one := consequences[0].(object)["id"]
	decisions := object{
		"operation_id": uuid.NewString(), "expected_version": 2,
		"decisions": []object{{"id": one, "decision": "rejected", "note": "Not so."}},
	}
	adam.send(t, "POST", path+"review/", decisions).is(t, "review as the player", 403, "forbidden")
	for _, replayed := range []bool{false, true} {
		a := greta.send(t, "POST", path+"review/", decisions).is(t, "review", 200, "")
		decided := a.body["consequences"].([]any)[0].(object)
		if a.body["version"] != 3. || a.body["replayed"] != replayed || a.body["pending_consequences"] != 0. ||
			decided["status"] != "rejected" || decided["note"] != "Not so." || decided["decided_at"] == nil {
			t.Errorf("reviewed: %s", a.text)
		}
	}
	decisions["operation_id"] = uuid.NewString()
	greta.send(t, "POST", path+"review/", decisions).is(t, "a stale review", 409, "conflict")
	decisions["expected_version"] = 3
	greta.send(t, "POST", path+"review/", decisions).is(t, "a decided consequence", 409, "conflict")
	journal := adam.send(t, "GET", path+"journal/?offset=0&limit=20", nil).is(t, "journal", 200, "")
	if entries := journal.body["entries"].([]any); len(entries) != 1 || journal.body["total"] != 1. {
		t.Errorf("the journal: %s", journal.text)
	}
}

// TestReport: each has the report of their role, in either language.
//
// clause: P-44, P-45, P-53
func TestReport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seat := w.assign(t)
	w.players(t, seat).must(t, "commit_play_turn", turn(1))
	url := w.serve(t)
	path := "/api/plays/" + seat.AssignmentID.String() + "/report/"
	for who, notes := range map[string]bool{"greta": true, "adam": false} {
		p := as(t, url, who)
		texts := map[string]bool{}
		for _, query := range []string{"", "?lang=en", "?lang=pl"} {
			a := p.send(t, "GET", path+query, nil).is(t, who+query, 200, "")
			if strings.Contains(a.text, canary) != notes || !strings.Contains(a.text, "torn page") {
				t.Errorf("%s%s: %s", who, query, a.text)
			}
			_, language, asked := strings.Cut(query, "=")
			if !asked {
				language = languages[who]
			}
			disposition := `attachment; filename="play-` + seat.AssignmentID.String() + "." + language + `.md"`
			if a.header.Get("Content-Type") != "text/markdown; charset=utf-8" || a.header.Get("Content-Disposition") != disposition {
				t.Errorf("%s%s: %v", who, query, a.header)
			}
			texts[a.text] = true
		}
		if len(texts) != 2 {
			t.Errorf("%s has %d reports in two languages", who, len(texts))
		}
		p.send(t, "GET", path+"?lang=de", nil).is(t, who+" in German", 400, "invalid_request")
	}
}
