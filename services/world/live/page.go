package live

import (
	"context"
	"embed"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/live/mesh"
)

//go:embed assets
var assets embed.FS

// three is vendored: .ci/three says which version, and checks the files.
var files = map[string]string{
	"/assets/live.css":                  "text/css; charset=utf-8",
	"/assets/live.js":                   "text/javascript; charset=utf-8",
	"/assets/feed.js":                   "text/javascript; charset=utf-8",
	"/assets/lists.js":                  "text/javascript; charset=utf-8",
	"/assets/orbit.js":                  "text/javascript; charset=utf-8",
	"/assets/scene.js":                  "text/javascript; charset=utf-8",
	"/assets/faces.js":                  "text/javascript; charset=utf-8",
	"/assets/three/three.module.min.js": "text/javascript; charset=utf-8",
	"/assets/three/three.core.min.js":   "text/javascript; charset=utf-8",
	"/assets/three/LICENSE":             "text/plain; charset=utf-8",
}

// World is what is shown. Observers of it hear of joins and quits.
type World interface {
	host.Host
	host.Columns
}

// Config says what a page shows. World and Operations are needed.
type Config struct {
	World World
	// Operations gives those to be shown, newest first: what runs, and what ended
	// lately. It is asked at most once a Poll while somebody looks.
	Operations func(context.Context) ([]Operation, error)
	// Home is what the camera looks at first: a place of the map, of which the
	// highest block is looked for.
	Home geom.Pos
	// View is how many chunks are shown to each side, 6 where it is zero.
	View int
	// Poll is how often players and operations are looked at, half a second where
	// it is zero.
	Poll time.Duration
	// Taken is told of the next link when one has been used. It may be nil.
	Taken func(link string)
}

// Operation is a plan that is being applied, or was.
type Operation struct {
	ID                        uuid.UUID
	Project, Kind, Status     string
	Total, Written, Conflicts int
	Sample                    []Conflict // some of the conflicts
	Region                    geom.Box
	Paused                    bool
	Reason                    string
	Created                   time.Time
}

// Conflict is a block that was not as planned and was left alone.
type Conflict struct {
	geom.Pos
	Expected, Actual string
}

// Page is the handler. It is safe for concurrent use.
type Page struct {
	config  Config
	door    *door
	columns *columns
	viewers *viewers
	guests  *guests
	handler http.Handler
	meshing chan struct{}
	waiting chan struct{}

	stop      func() // observing
	cancel    context.CancelFunc
	ended     <-chan struct{}
	announcer chan struct{} // closed when the one who polls has returned
}

// New makes the page of a world. It knows the players who come in afterwards, so
// it is made before anybody is let in. Close lets the world go again.
func New(c Config) *Page {
	if c.View == 0 {
		c.View = 6
	}
	if c.Poll == 0 {
		c.Poll = 500 * time.Millisecond
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Page{
		config: c, door: newDoor(), columns: newColumns(ctx, c.World, mesh.NewTable(c.World.Blocks())),
		viewers: &viewers{}, guests: &guests{known: map[uuid.UUID]struct{}{}},
		meshing: make(chan struct{}, meshers), waiting: make(chan struct{}, meshers+queued),
		cancel: cancel, ended: ctx.Done(), announcer: make(chan struct{}),
	}
	p.handler = p.routes()
	p.stop = c.World.Observe(observer{p})
	go p.poll(ctx)
	return p
}

// Close ends what viewers are told, and waits until the page asks the world for
// nothing more.
func (p *Page) Close() {
	p.stop()
	p.cancel()
	<-p.announcer
}

// Link is the address on this server that lets in whoever opens it first.
func (p *Page) Link() string { return p.door.link() }

// ServeHTTP implements http.Handler.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(w, r) }

func (p *Page) routes() http.Handler {
	mux := http.NewServeMux()
	for address, mediaType := range files {
		data := asset(address)
		mux.HandleFunc("GET "+address, func(w http.ResponseWriter, _ *http.Request) {
			write(w, http.StatusOK, mediaType, data)
		})
	}
	page, locked := asset("/assets/live.html"), asset("/assets/locked.html")
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if !p.door.admits(r) {
			write(w, http.StatusUnauthorized, html, locked)
			return
		}
		write(w, http.StatusOK, html, page)
	})
	mux.HandleFunc("GET /enter", func(w http.ResponseWriter, r *http.Request) { p.enter(w, r, locked) })
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, text, []byte("ok\n")) })
	mux.HandleFunc("GET /api/v1/events", p.inside(p.events))
	mux.HandleFunc("GET /api/v1/columns/{x}/{z}", p.inside(p.column))
	bounds := httpguard.Options{Body: 1 << 10, Refuse: func(w http.ResponseWriter, _ *http.Request, status int, message string) {
		write(w, status, text, []byte(message+"\n"))
	}}
	return headed(httpguard.New(bounds, mux))
}

// asset is a file that the build has.
func asset(address string) []byte {
	data, err := assets.ReadFile(address[1:])
	if err != nil {
		panic(err)
	}
	return data
}

const (
	html = "text/html; charset=utf-8"
	text = "text/plain; charset=utf-8"
)

func write(w http.ResponseWriter, status int, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data)
}
