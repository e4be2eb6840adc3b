package edge

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
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
}

// NewRPC serves every method of a handler catalog, those that are no tools
// among them, to programs. A request is
//
//	POST {"method": NAME, "params": {…}, "requestId": ID}
//
// where params and requestId may be missing, and its reply {"ok": true,
// "result": …} or {"ok": false, "error": {"code", "message"}}: status 200, or
// 400 for a request or call that is refused, 401, 403, 413, 429, 500, 503 and 504.
// Authentication, scopes, schemas and bounds are those of an edge. The handler
// belongs at a path of its own: it looks at no path.
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
	refuse := func(w http.ResponseWriter, r *http.Request, status int, message string) {
		if r.Method == http.MethodPost {
			s.refusedCall(r.Context(), nil, "", status)
		}
		rpcReply(w, status, rpcError(refusalCode(status), message))
	}
	door := httpguard.New(httpguard.Options{
		Hosts: s.config.Hosts, Origins: s.config.Origins, Body: s.bodyLimit(), Any: true,
		Arrival: time.Duration(s.config.Arrival), Refuse: refuse,
	}, &rpcMount{server: s, members: r.Members})
	return s.arrive(s.addressed(door, refuse), refuse), nil
}

// rpcMount serves the methods of a catalog.
type rpcMount struct {
	server  *Server
	members []string
}

// rpcRequest is the body of a request.
type rpcRequest struct {
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	RequestID string          `json:"requestId"`
}

type takenKey struct{}

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
	if call.RequestID != "" {
		w.Header().Set("X-Request-Id", call.RequestID)
	}
	e := m.server.tools[call.Method]
	state := &request{principal: principal, context: r.Context()}
	switch {
	case e == nil:
		m.server.turnedAway(r.Context(), state, nil, outcomeUnknownTool)
		rpcReply(w, http.StatusBadRequest, rpcError(string(fault.Invalid), "there is no such method"))
		return
	case !principal.Allows(e.operation.Scope):
		m.server.turnedAway(r.Context(), state, e, outcomeForbidden)
		rpcReply(w, http.StatusForbidden, rpcError(refusalCode(http.StatusForbidden), "the method is not allowed to this caller"))
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
		rpcReply(w, http.StatusGatewayTimeout, rpcError(refusalCode(http.StatusGatewayTimeout), message))
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
	status, reply := renderRPC(&o)
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
	if len(call.RequestID) > 128 || bytes.ContainsFunc([]byte(call.RequestID), func(r rune) bool { return r < 0x20 || r > 0x7e }) {
		return call, fault.New(fault.Invalid, "requestId is not at most 128 printable ASCII characters")
	}
	return call, nil
}

// take splits params into the arguments of a method and the members that its
// schema hides. What cannot be split is left for the schema to refuse.
func (m *rpcMount) take(e *entry, params json.RawMessage) (arguments json.RawMessage, taken map[string]json.RawMessage) {
	names := slices.DeleteFunc(slices.Clone(m.members), e.declares)
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
		refusal = &Refusal{Status: rpcStatus(code), Message: f.Message, RetryAfter: f.RetryAfter}
	}
	refusal.head(w.Header())
	if r.Method == http.MethodPost {
		var call rpcRequest
		_ = strictjson.Unmarshal(httpguard.Body(r), &call) // one that cannot be read names no method
		m.server.refusedCall(r.Context(), p, call.Method, refusal.Status)
	}
	rpcReply(w, refusal.Status, rpcError(code, refusal.Message))
}

// renderRPC makes the status and the body of what became of a call.
func renderRPC(o *outcome) (status int, reply []byte) {
	switch {
	case o.code != "":
		return rpcStatus(o.code), rpcError(o.code, bounded(o.message, maxMessage))
	case o.image != nil:
		mediaType, _ := json.Marshal(o.image.MediaType) // a string always encodes
		o.result = fmt.Appendf(nil, `{"media_type":%s,"base64":"%s"}`,
			mediaType, base64.StdEncoding.EncodeToString(o.image.Body))
	case o.result == nil:
		o.result = json.RawMessage("null")
	}
	o.size = len(o.result)
	return http.StatusOK, append(append([]byte(`{"ok":true,"result":`), o.result...), '}')
}

// rpcStatus is the HTTP status of a code: 400 for all that callers can do
// something about, unless HTTP has a word that changes what they do.
func rpcStatus(code string) int {
	if code == codeArgumentsTooLarge {
		return http.StatusRequestEntityTooLarge
	}
	if code == codeOverloaded {
		return http.StatusServiceUnavailable
	}
	if !slices.Contains(fault.Codes(), fault.Code(code)) {
		return http.StatusBadRequest
	}
	switch status := fault.Code(code).Status(); status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge,
		http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusInternalServerError:
		return status
	default:
		return http.StatusBadRequest
	}
}

// refusalCode is the code of a request that is refused with a status before
// its method is looked at.
func refusalCode(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "unauthenticated"
	case http.StatusForbidden:
		return "forbidden"
	case http.StatusRequestEntityTooLarge:
		return "too_large"
	case http.StatusTooManyRequests:
		return "too_many_requests"
	case http.StatusServiceUnavailable:
		return string(fault.Unavailable)
	case http.StatusInternalServerError:
		return string(fault.Internal)
	case http.StatusGatewayTimeout:
		return "timeout"
	default:
		return string(fault.Invalid)
	}
}

func rpcError(code, message string) []byte {
	b := appendJSONString([]byte(`{"ok":false,"error":{"code":`), code)
	b = appendJSONString(append(b, `,"message":`...), message)
	return append(b, "}}"...)
}

func rpcReply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
