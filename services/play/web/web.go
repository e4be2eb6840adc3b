package web

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// Config is what the pages need.
type Config struct {
	Accounts    *account.Service
	Scenarios   *scenario.Service
	Wiki        *wiki.Service
	Assignments *assignment.Service
	Chronicle   *chronicle.Service
	// Secure says that browsers come over TLS: cookies are bound to the host
	// and HTTPS is remembered.
	Secure bool
	// Origin is where browsers find the pages, as in "https://play.example".
	Origin string
	// PlayURL and AuthorURL are the addresses of the two MCP catalogs, for the
	// configuration that a page gives with a token.
	PlayURL, AuthorURL string
	// Now is the time; nil is time.Now.
	Now func() time.Time
	// Log gets what fails without the reader being told; nil logs nothing.
	Log *slog.Logger
}

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	config Config
	mux    *http.ServeMux
	pages  pages
	// readable are the patterns of what a GET shows.
	readable map[string]bool
	style    asset
	icon     asset
}

// New puts the pages together.
func New(c Config) *Site {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Site{
		config: c, mux: http.NewServeMux(), pages: parsePages(), readable: map[string]bool{},
		style: styleAsset(), icon: iconAsset(),
	}
	s.mount()
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.protect(w.Header())
	s.mux.ServeHTTP(w, r)
}

// protect sets what keeps a page from what it does not need, and others from the
// page: of every answer, also one that refuses.
func (s *Site) protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "+
		"frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	// no-referrer would take the Origin from the forms as well.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
	if s.config.Secure {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}
