package play

import (
	"context"
	"mime"
	"net/http"
	"net/netip"

	"github.com/pharos-mcp/pharos/edge/fault"
	players "github.com/pharos-mcp/pharos/generated/play"
	"github.com/pharos-mcp/pharos/generated/playapi"
	"github.com/pharos-mcp/pharos/internal/apicheck"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/failure"
	"github.com/pharos-mcp/pharos/services/play/login"
)

// restHandlers are all operations of the REST interface.
type restHandlers struct {
	loginHandlers
	playHandlers
}

var _ playapi.StrictServerInterface = restHandlers{}

// The paths of the REST interface.
const (
	restPrefix = "/api/"
	cookieOnly = `Cookie realm="pharos"` // what a 401 asks for: there is no login with a header
)

// rest serves the REST interface. It must stand behind httpguard.
func (s *Service) rest() http.Handler {
	document, err := apicheck.Document(players.Served(), "play.openapi.json")
	if err != nil {
		panic(err) // it is compiled in
	}
	through := []playapi.StrictMiddlewareFunc{apicheck.Middleware[playapi.StrictHandlerFunc](document), s.visited}
	strict := playapi.NewStrictHandlerWithOptions(restHandlers{loginHandlers{s}, playHandlers{s}}, through,
		playapi.StrictHTTPServerOptions{RequestErrorHandlerFunc: restMalformed, ResponseErrorHandlerFunc: restFailed})
	router := newRestRouter()
	playapi.HandlerWithOptions(strict, playapi.StdHTTPServerOptions{BaseRouter: router, ErrorHandlerFunc: restMalformed})
	return restAnswers(restTyped(router))
}

// restAnswers says of every answer that it is for its caller alone.
func restAnswers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// restTyped lets a body through that is sent as JSON: no form of another page
// is one.
func restTyped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
			if err != nil || media != "application/json" {
				turnDown(w, r, http.StatusUnsupportedMediaType, fault.New(fault.Invalid, "a body must be application/json"))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// restFailed answers a request with what an error is for a program; what the
// program does not see goes to the log.
func restFailed(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.From(failure.Shown(err))
	switch f.Code {
	case fault.Unauthenticated:
		w.Header().Set("WWW-Authenticate", cookieOnly)
	case fault.Internal, fault.Unavailable, fault.Timeout:
		eventOf(r.Context()).err = err
	}
	turnDown(w, r, f.Code.Status(), f)
}

// restMalformed answers a request that cannot be decoded.
func restMalformed(w http.ResponseWriter, r *http.Request, err error) {
	restFailed(w, r, apicheck.Undecodable(err))
}

// errNotLoggedIn is every request without a login that counts.
var errNotLoggedIn = fault.New(fault.Unauthenticated, "log in first")

// visitor is who sends a request, as far as its connection and cookies say.
type visitor struct {
	account account.Account // of the login; none where the operation needs none
	address string
	cookie  string // "" for none that counts
}

type visitorKey struct{}

// visitorOf is who sends the request of an operation.
func visitorOf(ctx context.Context) visitor {
	v, _ := ctx.Value(visitorKey{}).(visitor)
	return v
}

// loginFree are the operations that need no login.
var loginFree = map[string]bool{"LogIn": true, "LogOut": true}

// visited is the middleware that finds out who sends a request. It refuses what
// would change something and comes from a page of another origin, and what
// needs a login and has none.
func (s *Service) visited(next playapi.StrictHandlerFunc, operation string) playapi.StrictHandlerFunc {
	return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
		if err := login.Check(r); err != nil {
			return nil, err
		}
		v := visitor{address: addressOf(r), cookie: login.From(r, s.config.Secure)}
		if !loginFree[operation] {
			if v.cookie == "" {
				return nil, errNotLoggedIn
			}
			var err error
			if v.account, err = s.accounts.Session(ctx, v.cookie); err != nil {
				return nil, err
			}
		}
		return next(context.WithValue(ctx, visitorKey{}, v), w, r, request)
	}
}

// addressOf is the address that a request comes from.
func addressOf(r *http.Request) string {
	if peer, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return peer.Addr().Unmap().String()
	}
	return r.RemoteAddr
}
