package platform

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	tools "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/apicheck"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/strictjson"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
	"github.com/pharos-mcp/pharos/services/platform/party"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
	"github.com/pharos-mcp/pharos/services/platform/project"
	"github.com/pharos-mcp/pharos/services/platform/run"
	"github.com/pharos-mcp/pharos/services/platform/sshkey"
	"github.com/pharos-mcp/pharos/services/platform/support"
)

// handlers are all operations of the API, by their owners.
type handlers struct {
	access.Sessions
	party.Parties
	*project.Projects
	*support.Desk
	*sshkey.Keys
	*pipeline.Pipelines
	*run.Runs
	*hpc.Queues
	diagnostics
}

var _ platformapi.StrictServerInterface = handlers{}

// maxRequest bounds a request body: the largest of the document's, each of its
// characters escaped, and room around it.
const maxRequest = 256 << 10

// private is what the paths begin with that only PrivateHandler serves.
const private = "/internal/"

// Handler serves the API, but for what is private.
func (s *Service) Handler() http.Handler {
	routes := s.routes(func(path string) bool { return !strings.HasPrefix(path, private) },
		apicheck.Middleware[platformapi.StrictHandlerFunc](tools.Catalog()),
		access.Middleware[platformapi.StrictHandlerFunc](s.access))
	return s.guarded(hidden(private, s.access.Gate(routes, failed)))
}

// PrivateHandler serves what is private to whoever reaches it: its listener is
// what keeps others out. Who an identity is, it tells the broker alone.
func (s *Service) PrivateHandler() http.Handler {
	routes := s.routes(func(path string) bool { return strings.HasPrefix(path, private) },
		apicheck.Middleware[platformapi.StrictHandlerFunc](tools.Catalog()), nothingSaid)
	return s.guarded(s.access.PrivateGate(routes, failed))
}

// nothingSaid is the middleware that refuses a request for an identity with a
// body that says anything: all there is to ask stands in its assertion.
func nothingSaid(next platformapi.StrictHandlerFunc, operation string) platformapi.StrictHandlerFunc {
	if operation != "ResolveIdentity" {
		return next
	}
	return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
		if err := strictjson.Exact(bytes.TrimSpace(httpguard.Body(r)), &struct{}{}); err != nil {
			return nil, fault.New(fault.Invalid, "the body must be {}")
		}
		return next(ctx, w, r, request)
	}
}

// routes decodes the requests for the paths that are served and hands them to
// their owners through the middlewares, the last one first.
func (s *Service) routes(served func(path string) bool, through ...platformapi.StrictMiddlewareFunc) http.Handler {
	malformed := func(w http.ResponseWriter, r *http.Request, err error) {
		failed(w, r, apicheck.Undecodable(err))
	}
	strict := platformapi.NewStrictHandlerWithOptions(s.handlers, append(through, named),
		platformapi.StrictHTTPServerOptions{RequestErrorHandlerFunc: malformed, ResponseErrorHandlerFunc: failed})
	router := newRouter(served)
	platformapi.HandlerWithOptions(strict, platformapi.StdHTTPServerOptions{
		BaseRouter: router, ErrorHandlerFunc: malformed,
	})
	return router
}

// guarded puts in front what every request must pass.
func (s *Service) guarded(next http.Handler) http.Handler {
	bounds := httpguard.Options{Hosts: s.config.hosts(), Body: maxRequest, Refuse: refused}
	return ending(logged(s.config.Log, httpguard.New(bounds, typed(next))))
}

// named is the middleware that tells the log which operation a request is for.
func named(next platformapi.StrictHandlerFunc, operation string) platformapi.StrictHandlerFunc {
	return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
		eventOf(ctx).operation = operation
		return next(ctx, w, r, request)
	}
}

// hidden answers as for nothing where a path begins with the prefix, whoever
// asks.
func hidden(prefix string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			failed(w, r, errNoRoute)
			return
		}
		next.ServeHTTP(w, r)
	})
}
