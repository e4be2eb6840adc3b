package worldtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/services/world/key"
)

const (
	stranger = "22222222-2222-4222-8222-222222222222"
	someID   = "33333333-3333-4333-8333-333333333333"
)

// good is a request that is good.
func good() string {
	return `{"method":"project_context","params":{"player_id":"` + owner.String() + `","project_id":"default"}}`
}

// TestWhoAsks: nothing is answered for another host or to a page from elsewhere,
// and nothing without the right key.
//
// clause: W-01, W-02, W-03
func TestWhoAsks(t *testing.T) {
	t.Parallel()
	s := serve(t, filepath.Join(t.TempDir(), "world"), database(t))
	other := serve(t, filepath.Join(t.TempDir(), "world"), database(t))
	agent := s.keys[key.Agent]
	port := s.url[strings.LastIndex(s.url, ":"):strings.LastIndex(s.url, "/v1")]
	for _, host := range []string{
		"example.org", "example.org" + port, "localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "0.0.0.0" + port, "169.254.169.254",
	} {
		for _, bearer := range []string{agent, ""} {
			r := s.request(t, bearer, good())
			r.Host = host
			s.ask(t, r).want(t, "host "+host, 403, "permission_denied")
		}
	}
	for _, origin := range []string{
		"https://example.org", "null", "http://127.0.0.1.example.org", "http://localhost.example.org" + port, "file://",
		"http://10.0.0.1" + port,
	} {
		r := s.request(t, agent, good())
		r.Header.Set("Origin", origin)
		s.ask(t, r).want(t, "origin "+origin, 403, "permission_denied")
	}
	for _, host := range []string{"localhost" + port, "127.0.0.1" + port, "[::1]" + port} {
		r := s.request(t, agent, good())
		r.Host = host
		if got := s.ask(t, r); got.status != 200 {
			t.Errorf("host %s: %d %s", host, got.status, got.body)
		}
	}
	for name, header := range map[string]string{
		"none": "", "nothing": "Bearer ", "another scheme": "Basic " + agent,
		"no scheme": agent, "half of it": "Bearer " + agent[:len(agent)/2],
		"more": "Bearer " + agent + "A", "two": "Bearer " + agent + " " + agent,
		"another world's":                 "Bearer " + other.keys[key.Agent],
		"another world's administrator's": "Bearer " + other.keys[key.Admin], "long": "Bearer " + strings.Repeat("A", 4000),
		"in other letters": "Bearer " + strings.ToUpper(agent),
	} {
		r := s.request(t, "", good())
		if header != "" {
			r.Header.Set("Authorization", header)
		}
		s.ask(t, r).want(t, "key: "+name, 401, "unauthenticated")
	}
	r := s.request(t, "", good())
	r.URL.RawQuery = "access_token=" + agent
	s.ask(t, r).want(t, "a key in the address", 401, "unauthenticated")
}

// TestWhoseMethods: each key has its methods and none of the other's, whatever
// the parameters are.
//
// clause: W-03, W-04
func TestWhoseMethods(t *testing.T) {
	t.Parallel()
	s := serve(t, filepath.Join(t.TempDir(), "world"), database(t))
	administrative := 0
	for _, op := range catalog.Catalog(nil).Operations {
		by, not := key.Agent, key.Admin
		if strings.HasSuffix(op.Scope, ":admin") {
			by, not = not, by
			administrative++
		}
		s.refused(t, not, op.Tool, fields{"operation_id": someID}, 403, "permission_denied")
		s.ask(t, s.request(t, s.keys[not], `{"method":"`+op.Tool+`","params":7}`)).want(t, op.Tool, 403, "permission_denied")
		if got := s.call(t, by, op.Tool, fields{"nonsense": 1}); got.status != 400 {
			t.Errorf("%s by its own key: %d %s", op.Tool, got.status, got.body)
		}
		s.ask(t, s.request(t, s.keys[by], `{"method":"`+op.Tool+`"}`)).want(t, op.Tool+" for nobody", 400, "invalid_request")
	}
	if administrative != 4 {
		t.Errorf("%d administrative methods, want 4", administrative)
	}
}

// TestWhoseProject: a caller has the project that is theirs, and no name leads to
// another or anywhere else.
//
// clause: W-02, W-03, W-04
func TestWhoseProject(t *testing.T) {
	t.Parallel()
	s := serve(t, filepath.Join(t.TempDir(), "world"), database(t))
	file := filepath.Join(s.folder, "pharos", "projects.json")
	text, err := os.ReadFile(file)
	ok(t, err)
	var document map[string]any
	ok(t, json.Unmarshal(text, &document))
	projects := document["projects"].([]any)
	theirs := fields{}
	for name, value := range projects[0].(map[string]any) {
		theirs[name] = value
	}
	theirs["id"], theirs["owner"] = "theirs", stranger
	document["projects"] = append(projects, theirs)
	text, err = json.Marshal(document)
	ok(t, err)
	ok(t, os.WriteFile(file+".new", text, 0o600))
	ok(t, os.Rename(file+".new", file))
	for _, c := range []struct {
		player, project any
		status          int
		code            string
	}{
		{owner.String(), "theirs", 403, "permission_denied"},
		{stranger, mine, 403, "permission_denied"},
		{"00000000-0000-0000-0000-000000000000", mine, 403, "permission_denied"},
		{owner.String(), "nobodys", 400, "not_found"},
		{owner.String(), "DEFAULT", 400, "not_found"},
		{owner.String(), "../default", 400, "not_found"}, {owner.String(), "theirs/../default", 400, "not_found"},
		{owner.String(), "/etc/passwd", 400, "not_found"}, {owner.String(), "default\x00", 400, "invalid_request"},
		{owner.String(), "..", 400, "not_found"}, {owner.String(), "", 400, "not_found"},
		{owner.String(), "default ", 400, "not_found"}, {owner.String(), "dеfault", 400, "not_found"},
		{owner.String(), strings.Repeat("p", 64), 400, "not_found"}, {owner.String(), strings.Repeat("p", 65), 400, "not_found"},
		{owner.String(), 7, 400, "invalid_request"}, {owner.String(), nil, 400, "invalid_request"},
		{owner.String(), []string{mine}, 400, "invalid_request"}, {owner.String(), fields{}, 400, "invalid_request"},
		{strings.ToUpper("aaaaaaaa-1111-4111-8111-111111111111"), mine, 400, "invalid_request"},
		{"{" + owner.String() + "}", mine, 400, "invalid_request"}, {"", mine, 400, "invalid_request"}, {nil, mine, 400, "invalid_request"},
	} {
		what := fmt.Sprintf("%v in %v", c.player, c.project)
		s.call(t, key.Agent, "project_context", fields{"player_id": c.player, "project_id": c.project}).want(t, what, c.status, c.code)
		admin := s.call(t, key.Admin, "recovery_review", fields{"player_id": c.player, "project_id": c.project, "operation_id": someID})
		admin.want(t, what+", for the administrator", c.status, c.code)
	}
	if got := s.call(t, key.Agent, "project_context", fields{"player_id": stranger, "project_id": "theirs"}); got.status != 200 {
		t.Errorf("their own project: %d %s", got.status, got.body)
	}
	// What is another project's is not found there.
	plan := s.result(t, key.Agent, "build_prepare", fields{"recipe": fields{"version": 1, "operations": []fields{{
		"type": "line", "from": fields{"x": 0, "y": 70, "z": 0}, "to": fields{"x": 3, "y": 70, "z": 0}, "block": "stone",
	}}}})
	as := fields{
		"player_id": stranger, "project_id": "theirs", "plan_id": plan["plan_id"], "plan_hash": plan["plan_hash"], "idempotency_key": "k",
	}
	if got := s.call(t, key.Agent, "build_apply", as); got.Error == nil || got.Error.Code != "not_found" && got.Error.Code != "permission_denied" {
		t.Errorf("another project's plan: %d %s", got.status, got.body)
	}
}

// TestNamesOfFiles: no name of a schematic leads out of its folder, and what is no
// plain file there is none.
//
// clause: W-02, W-31, W-34
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	s := serve(t, filepath.Join(outside, "world"), database(t))
	folder := filepath.Join(s.folder, "pharos", "schematics")
	importing := func(id any) reply {
		return s.call(t, key.Agent, "schematic_import_prepare", fields{"asset_id": id, "target": fields{"x": 0, "y": 70, "z": 0}})
	}
	for _, id := range []any{
		"../keys/agent", "..", ".", "/etc/passwd", "a/b", `a\b`, "a.schem", "a\x00", "-a", "", "%2e%2e", "C:", "ａ", strings.Repeat("a", 65), 7, nil,
	} {
		importing(id).want(t, fmt.Sprintf("the asset %q", id), 400, "invalid_request")
	}
	importing("nobodys").want(t, "no asset", 400, "asset_not_found")

	export := func(name any) reply {
		return s.call(t, key.Agent, "schematic_export", fields{
			"name": name, "min": fields{"x": 0, "y": 62, "z": 0}, "max": fields{"x": 1, "y": 63, "z": 1},
		})
	}
	for _, name := range []any{"a\nb", "a\x00b", "", strings.Repeat("x", 65), "\u202eabc", 7, nil} {
		export(name).want(t, fmt.Sprintf("the name %q", name), 400, "invalid_request")
	}
	for _, name := range []string{"../../../evil", "/etc/evil", "..", ".", "con.schem", `..\evil`, "~root"} {
		got := export(name)
		if id := got.Result.text("assetId"); got.status != 200 || strings.ContainsAny(id, `./\~`) {
			t.Errorf("the name %q: %d %s", name, got.status, got.body)
		}
	}
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the world there is %v, %v", entries, err)
	}
	secret := filepath.Join(outside, "secret.schem")
	made, err := filepath.Glob(filepath.Join(folder, "*.schem"))
	if err != nil || len(made) != 7 {
		t.Fatalf("%q, %v", made, err)
	}
	text, err := os.ReadFile(made[0])
	ok(t, err)
	ok(t, os.WriteFile(secret, text, 0o600))
	ok(t, os.Symlink(secret, filepath.Join(folder, "link.schem")))
	ok(t, os.Symlink(filepath.Join(outside, "nothing"), filepath.Join(folder, "dangling.schem")))
	ok(t, os.Mkdir(filepath.Join(folder, "folder.schem"), 0o700))
	ok(t, syscall.Mkfifo(filepath.Join(folder, "pipe.schem"), 0o600))
	for _, id := range []string{"link", "dangling", "folder", "pipe"} {
		got := importing(id)
		got.want(t, id, 400, "asset_invalid")
		export(id).want(t, "an export over "+id, 400, "asset_exists")
	}
	got := s.call(t, key.Agent, "asset_list", fields{})
	got.want(t, "a list with what is no file", 400, "asset_invalid")
	if got.Error != nil && !strings.Contains(got.Error.Message, "dangling.schem") {
		t.Errorf("the list names no file: %s", got.body)
	}
	if _, err := os.Lstat(filepath.Join(outside, "nothing")); err == nil {
		t.Error("an export followed a link")
	}
}

// TestShapesOfRequests: what is no request is refused as one, and costs nothing.
//
// clause: W-02
func TestShapesOfRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, filepath.Join(t.TempDir(), "world"), database(t))
	agent := s.keys[key.Agent]
	who := `"player_id":"` + owner.String() + `","project_id":"default"`
	deep := func(left, middle, right string, n int) string {
		return strings.Repeat(left, n) + middle + strings.Repeat(right, n)
	}
	recipe := func(steps string) string {
		return `{"method":"build_prepare","params":{` + who + `,"recipe":{"version":1,"operations":` + steps + `}}}`
	}
	inspect := func(x string) string {
		return `{"method":"region_inspect","params":{` + who + `,"detail":"summary","min":{"x":` + x + `,"y":0,"z":0},"max":{"x":0,"y":0,"z":0}}}`
	}
	for name, body := range map[string]string{
		"nothing": "", "half": good()[:40], "two": good() + good(), "a list": "[" + good() + "]", "a text": `"x"`, "null": "null",
		"a mark before it": "\ufeff" + good(), "no text": "{\"method\":\"project_\xffcontext\"}", "a NUL": good() + "\x00",
		"a lone surrogate": `{"method":"\ud800"}`, "a comment": `{/**/}`, "a name twice": `{"method":"asset_list","method":"project_context"}`,
		"another member": `{"method":"project_context","id":1}`, "a method that is none": `{"method":7}`, "no method": `{"params":{}}`,
		"an unknown method": `{"method":"../project_context"}`, "another case": `{"method":"Project_Context"}`,
		"params that are a list": `{"method":"project_context","params":[]}`, "params that are a text": `{"method":"project_context","params":"x"}`,
		"params twice":           `{"method":"project_context","params":{` + who + `,` + who + `}}`,
		"an unknown parameter":   `{"method":"project_context","params":{` + who + `,"admin":true}}`,
		"10,000 lists":           deep("[", "", "]", 10_000),
		"10,000 objects":         deep(`{"params":`, "1", "}", 10_000),
		"10,000 lists in params": `{"method":"project_context","params":` + deep("[", "", "]", 10_000) + "}",
		"10,000 repeats":         recipe(deep(`[{"type":"repeat","count":1,"offset":{"x":0,"y":0,"z":0},"operations":`, "[]", "}]", 10_000)),
		"10,000 lists of steps":  recipe(deep("[", "", "]", 10_000)),
		"half of 10,000 lists":   strings.Repeat("[", 10_000),
		"a large number":         inspect("1e999"), "a broken number": inspect("01"), "a fraction": inspect("0.5"),
		"beyond 32 bits": inspect("4294967296"), "beyond 64 bits": inspect("18446744073709551616"), "not a number": inspect("NaN"),
		"a number as text": inspect(`"0"`), "far away": inspect("30000001"),
	} {
		got := s.ask(t, s.request(t, agent, body))
		got.want(t, name, 400, "invalid_request")
		if len(got.body) > 4096 {
			t.Errorf("%s: the refusal has %d bytes", name, len(got.body))
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions} {
		r := s.request(t, agent, good())
		r.Method = method
		if got := s.ask(t, r); got.status/100 != 4 {
			t.Errorf("%s: %d %s", method, got.status, got.body)
		}
	}
	for _, media := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		r := s.request(t, agent, good())
		r.Header.Set("Content-Type", media)
		s.ask(t, r).want(t, "the type "+media, 400, "invalid_request")
	}
	if got := s.result(t, key.Agent, "project_context", fields{}); got.text("project_id") != mine {
		t.Errorf("after it all: %v", got)
	}
}

// TestTooLarge bounds a request on both sides, with its length said and unsaid.
//
// clause: W-02
func TestTooLarge(t *testing.T) {
	t.Parallel()
	s := serve(t, filepath.Join(t.TempDir(), "world"), database(t))
	const bound = 1 << 20
	padded := func(size int) string { return good() + strings.Repeat(" ", size-len(good())) }
	for _, chunked := range []bool{false, true} {
		for size, want := range map[int]int{bound: 200, bound + 1: 413, 8 * bound: 413} {
			r := s.request(t, s.keys[key.Agent], padded(size))
			if chunked {
				r.ContentLength = -1
			}
			got := s.ask(t, r)
			if got.status != want || want == 413 && got.Error.Code != "too_large" {
				t.Errorf("%d bytes, length unsaid %t: %d %.200s, want %d", size, chunked, got.status, got.body, want)
			}
		}
	}
	s.ask(t, s.request(t, "", padded(bound+1))).want(t, "too large, without a key", 413, "too_large")
}

// TestRequestIDs repeats what a request is named by, within bounds, for good
// replies and refusals.
//
// clause: W-02
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	s := serve(t, filepath.Join(t.TempDir(), "world"), database(t))
	with := func(id any, method string) reply {
		body, err := json.Marshal(fields{"method": method, "requestId": id, "params": fields{"player_id": owner.String(), "project_id": mine}})
		ok(t, err)
		return s.ask(t, s.request(t, s.keys[key.Agent], string(body)))
	}
	for _, id := range []string{"request-1", strings.Repeat("x", 128), "~ !\"#$%&'()*+,-./"} {
		for method, status := range map[string]int{"project_context": 200, "nothing": 400, "recovery_review": 403} {
			got := with(id, method)
			if got.status != status || got.header.Get("X-Request-Id") != id {
				t.Errorf("%q: status %d, header %q", id, got.status, got.header.Get("X-Request-Id"))
			}
		}
		if logged := strconv.Quote(id); !strings.Contains(s.stderr.String(), strings.Trim(logged, `"`)) {
			t.Errorf("the log has no request %q", id)
		}
	}
	for _, id := range []any{strings.Repeat("x", 129), "a\r\nX-Evil: 1", "a\nb", "é", "\x7f", "a\x00", 7, fields{}} {
		got := with(id, "project_context")
		got.want(t, fmt.Sprintf("the request %q", id), 400, "invalid_request")
		if got.header.Get("X-Request-Id") != "" || got.header.Get("X-Evil") != "" {
			t.Errorf("%q: the header has %v", id, got.header)
		}
	}
}

// TestWithoutStore: while PostgreSQL cannot be asked every call that needs it says
// so, and so does the health; the process needs no start after that.
//
// clause: W-01, W-02
func TestWithoutStore(t *testing.T) {
	t.Parallel()
	store := newOwn(t, t.TempDir())
	s := serve(t, filepath.Join(t.TempDir(), "world"), store.url)
	health := func() (int, string) {
		r, err := http.Get(strings.TrimSuffix(s.url, "/v1/rpc") + "/health")
		ok(t, err)
		defer func() { _ = r.Body.Close() }()
		var body bytes.Buffer
		_, err = body.ReadFrom(r.Body)
		ok(t, err)
		return r.StatusCode, strings.TrimSpace(body.String())
	}
	if status, body := health(); status != 200 || body != `{"status":"ok","version":"1"}` {
		t.Errorf("health: %d %s", status, body)
	}
	store.kill()
	for method, params := range map[string]fields{
		"project_context": {}, "operation_status": {"operation_id": someID}, "part_get": {"part_id": someID},
		"build_apply": {"plan_id": someID, "plan_hash": strings.Repeat("0", 64), "idempotency_key": "k"},
	} {
		s.refused(t, key.Agent, method, params, 503, "unavailable")
	}
	s.refused(t, key.Admin, "recovery_review", fields{"operation_id": someID}, 503, "unavailable")
	if status, body := health(); status != 503 || body != `{"status":"unavailable","version":"1"}` {
		t.Errorf("health: %d %s", status, body)
	}
	ok(t, store.start(t.Context()))
	s.result(t, key.Agent, "project_context", fields{})
}
