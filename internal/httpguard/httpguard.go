// Package httpguard is the door in front of every HTTP handler: whom a request
// may claim to address, where a browser may come from, how long and how slow a
// body may be, how long a handler may take. A request that passes has its body
// read already: Body gives its bytes, and GetBody a reader again. JSON in it is no
// deeper and no more than a decoder should be asked to read.
package httpguard

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// Options are the bounds of one door.
type Options struct {
	// Hosts are the names, without a port, that a request may carry in Host
	// beside those of the loopback interface. Anything else is refused, which
	// is what defeats DNS rebinding.
	Hosts []string
	// Origins are the browser origins that may call beside the door's own.
	Origins []string
	// Body bounds a request body in bytes.
	Body int64
	// Any lets JSON of any shape through: the handler bounds what it decodes by
	// itself. Otherwise a body that is JSON is held to strictjson.Shape.
	Any bool
	// Arrival bounds the time for a body to arrive; zero is DefaultArrival.
	Arrival time.Duration
	// Refuse writes a refusal; nil writes the message as plain text. What has
	// arrived of the body by then, Body gives.
	Refuse func(w http.ResponseWriter, r *http.Request, status int, message string)
}

// DefaultArrival is the time for a body to arrive where nothing else is said.
const DefaultArrival = 10 * time.Second

// New puts the door in front of next.
func New(o Options, next http.Handler) http.Handler {
	if o.Arrival == 0 {
		o.Arrival = DefaultArrival
	}
	if o.Refuse == nil {
		o.Refuse = func(w http.ResponseWriter, _ *http.Request, status int, message string) {
			http.Error(w, message, status)
		}
	}
	return &guard{o, next}
}

type guard struct {
	Options
	next http.Handler
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.hostAllowed(r.Host) {
		g.Refuse(w, r, http.StatusForbidden, "the Host header names another server")
		return
	}
	if !g.originAllowed(r) {
		g.Refuse(w, r, http.StatusForbidden, "the Origin is not allowed here")
		return
	}
	data, status, message := g.read(w, r)
	if status == 0 && !readable(r.Header) {
		status, message = http.StatusUnsupportedMediaType, "the request body must be as it is sent: one type, UTF-8, no content coding"
	}
	if status == 0 && !g.Any && maybeJSON(r.Header) {
		if err := strictjson.Shape(data); err != nil {
			status, message = http.StatusBadRequest, "the request body is "+err.Error()
		}
	}
	body := newBody(data)
	if status != 0 {
		w.Header().Set("Connection", "close")
		r = r.WithContext(r.Context()) // net/http must see that there is more to read
		r.Body, r.GetBody = body, body.again
		g.Refuse(w, r, status, message)
		return
	}
	r.Body, r.GetBody, r.ContentLength = body, body.again, int64(len(data))
	g.next.ServeHTTP(w, r)
}

// originAllowed admits requests of programs (no Origin), of pages served from
// this very host and of the origins that are listed.
func (g *guard) originAllowed(r *http.Request) bool {
	values := r.Header.Values("Origin")
	if len(values) == 0 {
		return true
	}
	if len(values) > 1 {
		return false
	}
	if slices.Contains(g.Origins, values[0]) {
		return true
	}
	origin, err := url.Parse(values[0])
	return err == nil && origin.Host != "" && strings.EqualFold(origin.Host, r.Host)
}

func (g *guard) read(w http.ResponseWriter, r *http.Request) (body []byte, status int, message string) {
	if r.Body == http.NoBody {
		return []byte{}, 0, ""
	}
	deadline := http.NewResponseController(w)
	_ = deadline.SetReadDeadline(time.Now().Add(g.Arrival)) // a recorder in a test has none
	if r.ContentLength > g.Body {
		return g.head(r), http.StatusRequestEntityTooLarge, "the request body is too large"
	}
	body, err := readAll(http.MaxBytesReader(w, r.Body, g.Body), r.ContentLength)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return body, http.StatusRequestEntityTooLarge, "the request body is too large"
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return body, http.StatusRequestTimeout, "the request body did not arrive in time"
	}
	if err != nil {
		return body, http.StatusBadRequest, "the request body did not arrive"
	}
	// A deadline left standing would cut the reply of a slow handler. After a
	// refusal it stays: net/http reads on until the body ends or time is up.
	_ = deadline.SetReadDeadline(time.Time{})
	return body, 0, ""
}
