package display_test

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/display"
)

// get asks the display for an address.
func get(t *testing.T, h http.Handler, method, address string) (*http.Response, string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, address, nil)
	r.Host = "127.0.0.1:8083"
	h.ServeHTTP(w, r)
	return w.Result(), w.Body.String()
}

// Everything is there to be read, and says that nothing else may be loaded.
//
// clause: S-40
func TestPages(t *testing.T) {
	t.Parallel()
	h := display.New(func() []byte { return []byte(`{"display_revision":7}`) })
	for address, mediaType := range map[string]string{
		"/": "text/html", "/replay": "text/html", "/assets/app.css": "text/css", "/assets/board.js": "text/javascript",
		"/assets/panel.js": "text/javascript", "/assets/live.js": "text/javascript", "/assets/log.js": "text/javascript", "/assets/replay.js": "text/javascript", "/healthz": "text/plain",
		"/api/v1/snapshot": "application/json", "/api/v1/maps/londone/display.svg": "image/svg+xml",
		"/api/v1/maps/londone/buildings.json": "application/json",
	} {
		reply, body := get(t, h, http.MethodGet, address)
		policy := reply.Header.Get("Content-Security-Policy")
		if reply.StatusCode != http.StatusOK || !strings.HasPrefix(reply.Header.Get("Content-Type"), mediaType) || body == "" {
			t.Errorf("%s: %s, %s", address, reply.Status, reply.Header.Get("Content-Type"))
		}
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: policy %q", address, policy)
		}
		if foreign := regexp.MustCompile(`https?://[^"' ]+`).FindAllString(strings.ReplaceAll(body, "http://www.w3.org/2000/svg", ""), -1); foreign != nil {
			t.Errorf("%s names %q", address, foreign)
		}
		if strings.Contains(body, " style=") || strings.Contains(body, "onclick") || strings.Contains(body, "<script>") {
			t.Errorf("%s has what its policy forbids", address)
		}
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
			if reply, _ := get(t, h, method, address); reply.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %s", method, address, reply.Status)
			}
		}
	}
	for _, address := range []string{"/assets/", "/assets/live.html", "/api/v1/maps/atlantis/display.svg", "/api/v1/maps/../maps/londone/x", "/logs", "/mcp", "/x"} {
		if reply, _ := get(t, h, http.MethodGet, address); reply.StatusCode != http.StatusNotFound && reply.StatusCode/100 != 3 {
			t.Errorf("%s: %s", address, reply.Status)
		}
	}
}

// A page of another site that found its way here sees nothing.
//
// clause: S-01
func TestHost(t *testing.T) {
	t.Parallel()
	h := display.New(func() []byte { return []byte(`{}`) })
	r := httptest.NewRequest(http.MethodGet, "/api/v1/snapshot", nil)
	r.Host = "evil.example"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("status %d", w.Code)
	}
}

// The maps are whole, each house under its id in both.
//
// clause: S-40
func TestMaps(t *testing.T) {
	t.Parallel()
	h := display.New(func() []byte { return nil })
	for _, id := range city.IDs() {
		m, _ := city.Load(id)
		_, svg := get(t, h, http.MethodGet, "/api/v1/maps/"+id+"/display.svg")
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
		}
		_, text := get(t, h, http.MethodGet, "/api/v1/maps/"+id+"/buildings.json")
		var list struct {
			MapID         string `json:"map_id"`
			Width, Height int64
			Buildings     map[string][2]int64
		}
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatal(err)
		}
		if list.MapID != id || list.Width != m.Width || list.Height != m.Height || len(list.Buildings) != len(m.Buildings) {
			t.Errorf("%s: %d × %d, %d buildings", list.MapID, list.Width, list.Height, len(list.Buildings))
		}
		for name, p := range list.Buildings {
			if !strings.Contains(svg, `id="`+name+`"`) || p == [2]int64{} {
				t.Errorf("%s: %s at %v is not on the picture", id, name, p)
			}
		}
	}
}

// Whatever a script writes into is on its page, and whatever it gives a colour
// has one.
//
// clause: S-42
func TestElements(t *testing.T) {
	t.Parallel()
	h := display.New(func() []byte { return nil })
	_, panel := get(t, h, http.MethodGet, "/assets/panel.js")
	_, board := get(t, h, http.MethodGet, "/assets/board.js")
	_, styles := get(t, h, http.MethodGet, "/assets/app.css")
	element := regexp.MustCompile(`\b(?:getElementById|write|count|fill)\('(\w+)'`)
	for address, script := range map[string]string{"/": "/assets/live.js", "/replay": "/assets/replay.js"} {
		_, page := get(t, h, http.MethodGet, address)
		_, text := get(t, h, http.MethodGet, script)
		named := element.FindAllStringSubmatch(text+panel, -1)
		if len(named) < 10 {
			t.Errorf("%s names %d elements", script, len(named))
		}
		for _, id := range named {
			if strings.Count(page, `id="`+id[1]+`"`) != 1 {
				t.Errorf("%s has no %q, which %s writes", address, id[1], script)
			}
		}
	}
	colours := regexp.MustCompile(`this\.colour\('(\w+)'`).FindAllStringSubmatch(board, -1)
	if len(colours) < 5 {
		t.Errorf("the board has %d colours", len(colours))
	}
	for _, c := range colours {
		if strings.Count(styles, "--"+c[1]+":") != 2 {
			t.Errorf("%q is not a colour in light and in dark", c[1])
		}
	}
}
