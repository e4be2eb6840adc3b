package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// RPC is what the mount for programs has beside an edge's Options.
type RPC struct {
	// Members are those of params that a method's schema hides because a mount
	// supplies them. Callers of this mount name them themselves: they are taken
	// out before the arguments are checked. Of a method whose schema declares
	// them they are ordinary arguments.
	Members []string
	// Inject turns what was taken out, or what the caller is known by, into the
	// values that the handler gets; it takes the place of Options.Inject. Nil
	// hands on what was taken out.
	Inject func(
		ctx context.Context, p *Principal, op *tool.Operation, taken map[string]json.RawMessage,
	) (map[string]json.RawMessage, error)
	// Statuses are the HTTP statuses of codes, the service's own or any other, before
	// ErrorCodes give them other names. A code that is not among them, nor among
	// those of package fault, is 400.
	Statuses map[string]int
	// Path is where the RPC is served. Other paths are then 404, but for GET
	// /health if Health is there. Empty serves it at whatever path is asked for.
	Path string
	// Health says whether the service could do its work now: nil, or why not,
	// which only the log is told. Nil serves no /health.
	Health func(ctx context.Context) error
}

// NewRPC serves every method of a handler catalog, those that are no tools
// among them, to programs. A request is
//
//	POST {"method": NAME, "params": {…}, "requestId": ID}
//
// where params and requestId may be missing, and its reply {"ok": true,
// "result": …} or {"ok": false, "error": {"code", "message"}}: status 200, or
// 400 for a request or call that is refused, 401, 403, 413, 429, 500, 503 and 504.
// Authentication, scopes, schemas, bounds and ErrorCodes are those of an edge.
// The requestId is repeated in the header X-Request-Id and in the log.
func NewRPC(c Config, catalog tool.Catalog, o Options, r RPC) (http.Handler, error) {
	if !catalog.Bare {
		return nil, fmt.Errorf("catalog %s: RPC serves handler catalogs", catalog.Name)
	}
	catalog.Operations = slices.Clone(catalog.Operations)
	for i := range catalog.Operations {
		catalog.Operations[i].RPCOnly = false // here every method is one
	}
	o.Inject = func(ctx context.Context, p *Principal, op *tool.Operation) (map[string]json.RawMessage, error) {
		taken, _ := ctx.Value(takenKey{}).(map[string]json.RawMessage)
		if r.Inject == nil {
			return taken, nil
		}
		return r.Inject(ctx, p, op, taken)
	}
	s, err := prepare(c, catalog, o)
	if err != nil {
		return nil, err
	}
	m := &rpcMount{server: s, rpc: r}
	refuse := func(w http.ResponseWriter, r *http.Request, status int, message string) {
		if r.Method == http.MethodPost {
			s.refusedCall(r.Context(), nil, "", status)
		}
		m.reply(w, status, refusalCode(status), message)
	}
	door := httpguard.New(httpguard.Options{
		Hosts: s.config.Hosts, Origins: s.config.Origins, Body: s.bodyLimit(), Any: true,
		Arrival: time.Duration(s.config.Arrival), Refuse: refuse,
	}, m.paths())
	return s.arrive(s.addressed(door, refuse), refuse), nil
}

// rpcMount serves the methods of a catalog.
type rpcMount struct {
	server *Server
	rpc    RPC
}

// rpcRequest is the body of a request.
type rpcRequest struct {
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	RequestID string          `json:"requestId"`
}

type (
	takenKey     struct{}
	requestIDKey struct{}
)

// requestID is what a program names its request by, or "".
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// ServeHTTP implements http.Handler.
func (m *rpcMount) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer m.server.hush(r.Context())
	principal, err := m.server.auth.Authenticate(r)
	if err != nil {
		m.refuse(w, r, nil, err)
		return
	}
	seat, refused := m.server.admit(w, r, principal)
	if refused != nil {
		m.refuse(w, r, principal, refused)
		return
	}
	defer seat.finish()
	w = seat
	call, err := readRPC(w, r, m.server.config.StrictText)
	if err != nil {
		m.refuse(w, r, principal, err)
		return
	}
	r = named(w, r, call.RequestID)
	e := m.server.tools[call.Method]
	state := &request{principal: principal, context: r.Context()}
	switch {
	case e == nil:
		m.server.turnedAway(r.Context(), state, nil, outcomeUnknownTool)
		m.reply(w, http.StatusBadRequest, string(fault.Invalid), "there is no such method")
		return
	case !principal.Allows(e.operation.Scope):
		m.server.turnedAway(r.Context(), state, e, outcomeForbidden)
		m.reply(w, http.StatusForbidden, refusalCode(http.StatusForbidden), "the method is not allowed to this caller")
		return
	}
	seat.users.Add(1)
	httpguard.Within(m.server.expiry(), w, r, m.late(e), func(w http.ResponseWriter, r *http.Request) {
		defer m.server.hush(r.Context())
		defer seat.leave()
		state.context, state.watched = r.Context(), true
		m.call(w, r, state, e, call.Params)
	})
}

// late answers for a handler that does not end.
func (m *rpcMount) late(e *entry) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		message := "the server did not finish in time"
		if e.operation.Effect != tool.Read {
			message += m.server.ifUnknown()
		}
		m.reply(w, http.StatusGatewayTimeout, refusalCode(http.StatusGatewayTimeout), message)
	}
}

// call calls a method and writes its reply.
func (m *rpcMount) call(w http.ResponseWriter, r *http.Request, state *request, e *entry, params json.RawMessage) {
	start := time.Now()
	ctx, cancel := follow(r.Context(), state, m.server.callTime(state))
	defer cancel()
	arguments, taken := m.take(e, params)
	ctx = context.WithValue(ctx, takenKey{}, taken)
	ctx = m.server.begin(ctx, state, e)
	o := m.server.attempt(ctx, state, e, arguments)
	m.server.weigh(ctx, state, e, &o)
	defer m.server.settle(state)
	status, reply := m.render(&o)
	if o.retryAfter != "" {
		w.Header().Set("Retry-After", o.retryAfter)
	}
	rpcReply(w, status, reply)
	m.server.record(ctx, state, e, len(arguments), o, time.Since(start))
}

// readRPC reads the body, which the guard has bounded. Strict is StrictText.
func readRPC(w http.ResponseWriter, r *http.Request, strict bool) (call rpcRequest, err error) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return call, &Refusal{Status: http.StatusMethodNotAllowed, Message: "send a POST"}
	}
	if mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); mediaType != "application/json" {
		return call, &Refusal{Status: http.StatusUnsupportedMediaType, Message: "send application/json"}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return call, err
	}
	if strict && strictjson.Text(body) != nil {
		return call, fault.New(fault.Invalid, strictjson.ErrText.Error())
	}
	if err := strictjson.Unmarshal(body, &call); err != nil {
		return call, fault.New(fault.Invalid, bounded(err.Error(), maxMessage))
	}
	return call, checkRequestID(call.RequestID)
}

// checkRequestID refuses what cannot stand in a header and a line of a log.
func checkRequestID(id string) error {
	if len(id) > 128 || strings.ContainsFunc(id, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
		return fault.New(fault.Invalid, "requestId is not at most 128 printable ASCII characters")
	}
	return nil
}

// named puts the request's id into the reply's head and the request's context.
func named(w http.ResponseWriter, r *http.Request, id string) *http.Request {
	if id == "" {
		return r
	}
	w.Header().Set("X-Request-Id", id)
	return r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
}

// take splits params into the arguments of a method and the members that its
// schema hides. What cannot be split is left for the schema to refuse.
func (m *rpcMount) take(e *entry, params json.RawMessage) (arguments json.RawMessage, taken map[string]json.RawMessage) {
	names := slices.DeleteFunc(slices.Clone(m.rpc.Members), e.declares)
	taken = map[string]json.RawMessage{}
	if len(names) == 0 || len(params) == 0 {
		return params, taken
	}
	if err := tool.Split(params, &taken, &arguments, true, names...); err != nil {
		return params, nil
	}
	return arguments, taken
}

// declares reports whether the tool's input has a member of that name.
func (e *entry) declares(name string) bool {
	schema, _ := e.tool.InputSchema.(json.RawMessage)
	var input struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schema, &input) // proved when it was generated
	_, ok := input.Properties[name]
	return ok
}

// refuse answers a request that calls nothing, and tells of it.
func (m *rpcMount) refuse(w http.ResponseWriter, r *http.Request, p *Principal, err error) {
	refusal, ok := errors.AsType[*Refusal](err)
	code := ""
	if ok {
		code = refusalCode(refusal.Status)
	} else {
		f := fault.From(err)
		if f.Code == fault.Internal {
			m.server.log.ErrorContext(r.Context(), "rpc", "error", err)
		}
		code = string(f.Code)
		refusal = &Refusal{Status: m.status(code), Message: f.Message, RetryAfter: f.RetryAfter}
	}
	refusal.head(w.Header())
	if r.Method == http.MethodPost {
		var call rpcRequest
		_ = strictjson.Unmarshal(httpguard.Body(r), &call) // one that cannot be read names no method
		if checkRequestID(call.RequestID) == nil {
			r = named(w, r, call.RequestID)
		}
		m.server.refusedCall(r.Context(), p, call.Method, refusal.Status)
	}
	m.reply(w, refusal.Status, code, refusal.Message)
}
