package edge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/extension"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/observe"
	"github.com/pharos-mcp/pharos/internal/validate"
)

// Options are what a program gives an edge beside its configuration. The zero
// value is an edge as Config describes it.
type Options struct {
	// Authenticator replaces the one that Config.Authentication describes.
	Authenticator Authenticator
	// Exchange replaces the upstreams that Config.Upstreams describes.
	Exchange tool.Exchange
	// Inject supplies, for each call of a handler catalog, the members that no
	// caller may choose.
	Inject func(ctx context.Context, p *Principal, op *tool.Operation) (map[string]json.RawMessage, error)
	// Context gives the handlers of a call what a service knows its caller by: it
	// returns ctx with that in it, and is asked before Inject. Nil adds nothing.
	Context func(ctx context.Context, p *Principal, op *tool.Operation) context.Context
	// Instructions take the place of the texts that every edge shows to models, on
	// approval, repetition and inputs. Config.Instructions follow them. Empty means
	// those texts.
	Instructions string
	// StatusErrors makes an error of a handler catalog's tool begin with the HTTP
	// status of its code, as in "409: version is 3, not 2", and not with the code
	// itself. What breaks the tool's schema is 422.
	StatusErrors bool
	// ErrorObjects makes an error of a handler catalog's tool structured content
	// too, {"error": {"code", "message"}}. The output schemas that are listed allow
	// it beside a result.
	ErrorObjects bool
	// ErrorCodes are what a handler catalog calls the codes of errors that the edge
	// finds itself, by those codes, such as "invalid_arguments". Others stay as they
	// are. Nil renames none.
	ErrorCodes map[string]string
	// Scopes narrows, at each request, what a caller is granted: it returns those of
	// p.Scopes that hold now. It must not wait long. Nil leaves them as they are.
	Scopes func(ctx context.Context, p *Principal) []string
	// Unknown is what callers are told of a write that may have happened, behind the
	// message of its error. Empty means the texts that every edge has.
	Unknown string
	// Pictures are, by tools of a handler catalog, the members of their results that
	// have a picture. Over MCP it stands beside the result, as content that a model
	// sees; over RPC it stays where it is.
	Pictures map[string]Picture
	// Gate is the admission that this server shares with others. Config.Admission
	// is empty then, and Config.Timeout no longer than the gate's. Nil is one of
	// the server's own, as Config.Admission describes it.
	Gate *Gate
	// Sessions makes the server keep sessions. Nil is a server without.
	Sessions *Sessions
	// Beside answers requests for other paths than the server's own: what else is
	// at its origin. It bounds its requests by itself. Nil is nothing.
	Beside http.Handler
	// Log gets one event for each request. Nil logs nothing.
	Log *slog.Logger
	// Version is what the server tells clients of itself. Empty means "0".
	Version string
	// Extension is for this module's own conformance tests.
	Extension *extension.Extension
}

// Server serves one catalog. It is an http.Handler for the path that its
// configuration names, and safe for concurrent use.
type Server struct {
	config  Config
	catalog tool.Catalog
	auth    Authenticator
	version string
	token   string // made at start, to be printed once; "" if it came from a file

	tools     map[string]*entry
	validator *validate.Set
	exchange  tool.Exchange
	options   Options // of which what concerns calls is asked for later
	proxies   httpguard.Proxies
	log       *slog.Logger
	observer  *observe.Observer
	health    health
	sessions  *sessions // nil without
	shortcuts *shortcuts
	gate      *Gate
	listSize  func() int64 // bytes of a list of all tools
	handler   http.Handler
	beside    http.Handler // nil without

	// protocolServer is made when a message needs it first: most of what a start
	// with many tools would take is their registration.
	protocolServer func() *mcp.Server
	extension      *extension.Extension // nil without

	// asserting are the documents whose API knows our callers by assertions.
	asserting []string

	// ownExchange says that calls of an API wait for our own exchange alone.
	ownExchange bool
}

// New checks everything, reads the secrets and returns a server; it opens no
// listener and connects to nothing. Its error is Problems, all of them, where
// the configuration is at fault.
func New(c Config, catalog tool.Catalog, o Options) (*Server, error) {
	s, err := prepare(c, catalog, o)
	if err != nil {
		return nil, err
	}
	s.sessions = newSessions(o.Sessions)
	s.shortcuts = newShortcuts(catalog, s.version)
	s.protocolServer = sync.OnceValue(func() *mcp.Server { return s.protocol(s.version) })
	s.handler = s.observer.Callers(s.health.beside(s.metadata(s.observer.Requests(
		s.pages(s.arrive(s.door(s.mount()), s.turnDown))))))
	return s, nil
}

// metadata serves what clients ask about the broker, where there is one.
func (s *Server) metadata(next http.Handler) http.Handler {
	if o, ok := s.auth.(*OAuth); ok {
		return o.beside(s.catalog.Name, next)
	}
	return next
}

// prepare makes a server that nothing is mounted on yet.
func prepare(c Config, catalog tool.Catalog, o Options) (*Server, error) {
	c = c.withDefaults()
	s := &Server{config: c, catalog: catalog, options: o, beside: o.Beside, log: o.Log, extension: o.Extension}
	s.version = cmp.Or(o.Version, "0")
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if ps := append(c.check(catalog, o), s.connect(o)...); len(ps) > 0 {
		return nil, ps
	}
	s.health.over, s.health.stop = context.WithCancel(context.Background())
	var err error
	if s.observer, err = s.newObserver(); err != nil {
		return nil, err
	}
	if s.tools, err = load(catalog, o.ErrorObjects); err != nil {
		return nil, err
	}
	s.validator = validate.New(catalog)
	s.listSize = sync.OnceValue(func() int64 { return sizeOf(s.tools) })
	return s, nil
}

// connect sets up who may call and what is called.
func (s *Server) connect(o Options) (ps Problems) {
	s.auth, s.exchange = o.Authenticator, o.Exchange
	if s.auth == nil {
		a, token, err := s.config.Authentication.authenticator(scopesOf(s.catalog))
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				ps.addf("authentication.%s: %s", s.config.Authentication.place(), line)
			}
		}
		s.auth, s.token = a, token
	}
	if s.exchange == nil {
		x, problems := s.upstreams()
		ps = append(ps, problems...)
		s.exchange, s.ownExchange = x, o.Inject == nil && o.Context == nil
	}
	s.openGate(o.Gate, &ps)
	var err error
	if s.proxies, err = httpguard.ParseProxies(s.config.Proxies); err != nil {
		ps.addf("proxies: %v", err)
	}
	return ps
}

// upstreams makes the exchange that the configuration describes.
func (s *Server) upstreams() (tool.Exchange, Problems) {
	var ps Problems
	c, catalog := s.config, s.catalog
	configs := map[string]tool.UpstreamConfig{}
	for _, document := range catalog.Documents {
		u, ok := c.Upstreams[document.Name]
		if !ok {
			continue // a problem already
		}
		config := tool.UpstreamConfig{
			BaseURL: u.URL, Timeout: time.Duration(u.Timeout), Reply: catalog.Limits.Reply, UserAgent: "pharos",
		}
		apply, problems := s.authority(document, u)
		for _, p := range problems {
			ps.addf("upstreams.%s.%s", document.Name, p)
		}
		config.Apply = apply
		configs[document.Name] = config
	}
	x, err := tool.NewUpstream(configs)
	if err != nil {
		ps.addf("%v", err)
	}
	return x, ps
}

// authority is what puts the gateway's own authority on requests to an API.
func (s *Server) authority(document tool.Document, u Upstream) (apply func(context.Context, *http.Request, *tool.Operation) error, ps Problems) {
	if u.Assertion == (Assertion{}) {
		credentials, err := NewCredentials(document, u.URL, u.Credentials)
		if err != nil {
			ps, _ = errors.AsType[Problems](err)
			return nil, ps
		}
		return credentials.Apply, nil
	}
	var enrolled token.Keys
	if o, ok := s.auth.(*OAuth); ok && o != nil {
		enrolled = o.trust.Keys
	}
	assertions, err := u.Assertion.open(u.URL, enrolled)
	if err != nil {
		ps.addf("assertion.%v", err)
		return nil, ps
	}
	s.asserting = append(s.asserting, document.Name)
	return assertions.Apply, nil
}

// protocol makes the MCP server: one for the life of the process, because
// making one costs far more than a call.
func (s *Server) protocol(version string) *mcp.Server {
	options := &mcp.ServerOptions{
		Instructions: instructions(s.catalog, s.options.Instructions, s.config.Instructions),
		// Prompts and resources are declared although there are none: clients
		// that ask anyway get empty lists, not errors.
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
		},
		// The list is filtered after it was paged, so it must be one page.
		PageSize: len(s.tools) + 1,
		// What a caller may list is private to its token and may change with it.
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.CacheScope, c.TTLMs = "private", 0
		},
	}
	if s.extension != nil {
		s.extension.Configure(options)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: s.catalog.Name, Version: version}, options)
	for i := range s.catalog.Operations {
		if e := s.tools[s.catalog.Operations[i].Tool]; e != nil {
			server.AddTool(e.tool, s.call(e))
		}
	}
	if s.extension != nil {
		s.extension.Register(server)
	}
	server.AddReceivingMiddleware(s.contain, s.scoped)
	if s.sessions != nil {
		server.AddReceivingMiddleware(s.contain, s.sessions.receive)
	}
	return server
}

// mount puts the protocol behind HTTP. Once our own authenticator has passed a
// request, the SDK's is used for one thing only: it hands the verdict to the
// handlers, which see no other value of the HTTP request.
func (s *Server) mount() http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.protocolServer() }, &mcp.StreamableHTTPOptions{
		Stateless: s.sessions == nil, SessionTimeout: s.sessions.idle(), JSONResponse: s.extension == nil, MaxRequestBodyBytes: s.bodyLimit(),
		// The door has checked Host already, with the configured names.
		DisableLocalhostProtection: true,
	})
	return s.guard(s.seated(s.shorten(s.sdk(auth.RequireBearerToken(handOver, nil)(s.sessions.watch(h))))))
}

// sdk lets the SDK answer. The caller's credential ends here: nothing behind
// sees it (E-56).
func (s *Server) sdk(next http.Handler) stage {
	return func(w http.ResponseWriter, r *http.Request, q *request) {
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, q))
		r.Header = r.Header.Clone()
		r.Header.Del("Cookie")
		r.Header.Set("Authorization", "Bearer authenticated")
		reply := &replyWriter{ResponseWriter: w, request: q}
		next.ServeHTTP(reply, r)
		q.status = reply.status
		s.tellUntold(q)
	}
}

// door is everything that happens before authentication.
func (s *Server) door(next http.Handler) http.Handler {
	guarded := s.addressed(httpguard.New(httpguard.Options{
		Hosts: s.config.Hosts, Origins: s.config.Origins, Body: s.bodyLimit(), Any: true,
		Arrival: time.Duration(s.config.Arrival), Refuse: s.turnDown,
	}, next), s.turnDown)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == s.config.Path:
			guarded.ServeHTTP(w, r)
		case s.beside != nil:
			s.beside.ServeHTTP(w, r)
		default:
			refuse(w, r, http.StatusNotFound, fmt.Sprintf("MCP is served at %s", s.config.Path))
		}
	})
}

// bodyLimit is the configured bound, or leaves room for the protocol around the largest arguments, so that
// arguments over their own bound get an answer that says so.
func (s *Server) bodyLimit() int64 {
	return cmp.Or(s.config.Body, max(1<<20, int64(s.argumentLimit())+64<<10))
}

func (s *Server) argumentLimit() int {
	return cmp.Or(s.catalog.Limits.Arguments, tool.DefaultArguments)
}

func (s *Server) replyLimit() int { return cmp.Or(s.catalog.Limits.Reply, tool.DefaultReply) }

// ServeHTTP serves one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.hush(r.Context())
	s.handler.ServeHTTP(w, r)
}
