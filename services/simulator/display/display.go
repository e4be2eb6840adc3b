package display

import (
	"embed"
	"fmt"
	"net/http"
	"strconv"

	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/services/simulator/city"
)

//go:embed assets
var assets embed.FS

// policy is what the pages may do: load what is beside them, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page is a file of this package at an address.
type page struct{ file, mediaType string }

var pages = map[string]page{
	"/":                 {"live.html", "text/html; charset=utf-8"},
	"/replay":           {"replay.html", "text/html; charset=utf-8"},
	"/assets/app.css":   {"app.css", "text/css; charset=utf-8"},
	"/assets/board.js":  {"board.js", "text/javascript; charset=utf-8"},
	"/assets/panel.js":  {"panel.js", "text/javascript; charset=utf-8"},
	"/assets/live.js":   {"live.js", "text/javascript; charset=utf-8"},
	"/assets/log.js":    {"log.js", "text/javascript; charset=utf-8"},
	"/assets/replay.js": {"replay.js", "text/javascript; charset=utf-8"},
}

// New serves the display. What it shows is what snapshot gives: JSON, whenever
// it is asked.
func New(snapshot func() []byte) http.Handler {
	mux := http.NewServeMux()
	for address, p := range pages {
		data, err := assets.ReadFile("assets/" + p.file)
		if err != nil {
			panic(err) // the build has them
		}
		if address == "/" {
			address = "/{$}"
		}
		mux.Handle("GET "+address, fixed(p.mediaType, data))
	}
	mux.Handle("GET /healthz", fixed("text/plain; charset=utf-8", []byte("ok\n")))
	for _, id := range city.IDs() {
		m, _ := city.Load(id)
		mux.Handle("GET /api/v1/maps/"+id+"/display.svg", fixed("image/svg+xml", appendSVG(nil, m)))
		mux.Handle("GET /api/v1/maps/"+id+"/buildings.json", fixed("application/json", appendBuildings(nil, m)))
	}
	mux.HandleFunc("GET /api/v1/snapshot", func(w http.ResponseWriter, _ *http.Request) {
		write(w, "application/json", snapshot())
	})
	bounds := httpguard.Options{Body: 1 << 10, Refuse: func(w http.ResponseWriter, _ *http.Request, status int, message string) {
		http.Error(w, message, status)
	}}
	return httpguard.New(bounds, headed(mux))
}

// headed sets what every answer says.
func headed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

func fixed(mediaType string, data []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { write(w, mediaType, data) })
}

func write(w http.ResponseWriter, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
}

// appendSVG appends a map as a picture: its ground, roads, depots and houses,
// each house an element with its id.
func appendSVG(b []byte, m *city.Map) []byte {
	b = fmt.Appendf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="map %s">`, m.Width, m.Height, m.ID)
	b = append(b, "\n<g class=\"roads\">\n"...)
	for _, e := range m.Edges {
		p, q := m.Nodes[e.A], m.Nodes[e.B]
		b = fmt.Appendf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", p.X, p.Y, q.X, q.Y)
	}
	b = append(b, "</g>\n<g class=\"depots\">\n"...)
	for _, d := range m.Depots {
		p := m.At(d)
		b = fmt.Appendf(b, `<circle cx="%d" cy="%d" r="50"/>`+"\n", p.X, p.Y)
	}
	b = append(b, "</g>\n<g class=\"buildings\">\n"...)
	for i, house := range m.Buildings {
		b = fmt.Appendf(b, `<path id="l%d" class="%s" d="M`, i+1, house.Class)
		for j, p := range house.Footprint {
			if j > 0 {
				b = append(b, 'L')
			}
			b = fmt.Appendf(b, "%d %d", p.X, p.Y)
		}
		b = append(b, "Z\"/>\n"...)
	}
	return append(b, "</g>\n</svg>\n"...)
}

// appendBuildings appends where the houses of a map are, as JSON by their ids,
// in tenths of a unit.
func appendBuildings(b []byte, m *city.Map) []byte {
	b = fmt.Appendf(b, `{"map_id":%q,"width":%d,"height":%d,"buildings":{`, m.ID, m.Width, m.Height)
	for i, house := range m.Buildings {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"l%d":[%d,%d]`, i+1, house.Point.X, house.Point.Y)
	}
	return append(b, "}}\n"...)
}
