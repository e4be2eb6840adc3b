package simtest

import (
	"encoding/json"
	"net/http"
	"testing"
)

// shown are the addresses of the display.
var shown = []string{
	"/", "/replay", "/healthz", "/api/v1/snapshot", "/assets/app.css", "/assets/board.js", "/assets/live.js", "/assets/replay.js",
	"/api/v1/maps/londone/display.svg", "/api/v1/maps/londone/buildings.json", "/api/v1/maps/oldtown/display.svg",
	"/api/v1/maps/portside/buildings.json",
}

// TestDisplay: watching takes no lease, keeps none, and changes nothing,
// whatever is sent to whatever address.
//
// clause: S-08, S-40
func TestDisplay(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	revision := func() (n int64) {
		t.Helper()
		got, err := request(t.Context(), http.MethodGet, p.url+"/api/v1/snapshot", "", nil)
		ok(t, err)
		var s struct {
			Revision int64 `json:"display_revision"`
		}
		ok(t, json.Unmarshal(got.body, &s))
		return s.Revision
	}
	c := opened(t, p.url)
	c.must(t, "start_episode", begin)
	c.must(t, "dispatch", dispatch(0, "truck-1", 400))
	before, first := c.must(t, "status", `{}`).text, revision()
	calls := []string{
		"", initialize, `{"expected_tick":0}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"next_tick","arguments":{"expected_tick":0}}}`,
	}
	for _, path := range append(shown, "/api/v1/next_tick", "/next_tick", "/dispatch", "/api/v1", "/start_episode", "/mcp/") {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			for _, body := range calls {
				header := c.header() // as if it were its controller
				got, err := request(t.Context(), method, p.url+path, body, header)
				ok(t, err)
				if method != "GET" && method != "HEAD" && got.status < 400 && method != "OPTIONS" {
					t.Errorf("%s %s: status %d", method, path, got.status)
				}
				if got.header.Get("Mcp-Session-Id") != "" {
					t.Errorf("%s %s begins a session", method, path)
				}
			}
		}
	}
	if after := c.must(t, "status", `{}`).text; after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	if got := revision(); got != first {
		t.Errorf("revision %d, then %d", first, got)
	}
	c.must(t, "next_tick", `{"expected_tick":0}`)
	if got := revision(); got <= first {
		t.Errorf("revision %d after a tick, %d before", got, first)
	}
}

// TestDisplayIsIdle: polling is no request of the controller's.
//
// clause: S-04, S-08
func TestDisplayIsIdle(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, map[string]any{"idle": "1s"}))
	run := opened(t, p.url).must(t, "start_episode", begin).read(t).RunID
	eventually(t, "the end of the run", func() bool {
		_, err := request(t.Context(), http.MethodGet, p.url+"/api/v1/snapshot", "", nil)
		ok(t, err)
		return ended(p.runs, run) == "aborted"
	})
}
