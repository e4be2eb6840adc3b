package edge

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/observe"
	"github.com/pharos-mcp/pharos/internal/validate"
)

// call is the handler of one tool. It returns no Go error: the SDK would show
// its text to the client.
func (s *Server) call(e *entry) mcp.ToolHandler {
	return func(ctx context.Context, message *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		request := requestOf(message)
		if request == nil {
			return nil, errInternal
		}
		request.bySDK = true
		c, retryAfter := s.perform(ctx, request, e, message.Params.Arguments, nil)
		request.mu.Lock()
		defer request.mu.Unlock()
		request.retryAfter = retryAfter
		if request.refused != nil {
			return nil, &jsonrpc.Error{Code: int64(request.refused.Status), Message: request.refused.Message}
		}
		return c.result(), nil
	}
}

// follow ends a handler's context with the HTTP request or with the time for a
// call, whichever is first: the SDK keeps only the values of a request's
// context, not its end.
func follow(ctx context.Context, r *request, limit time.Duration) (context.Context, context.CancelFunc) {
	own := ctx == r.context
	ctx = context.WithValue(ctx, principalKey{}, r.principal)
	ctx, cancel := context.WithTimeout(ctx, limit)
	if own {
		return ctx, cancel
	}
	stop := context.AfterFunc(r.context, cancel)
	return ctx, func() { stop(); cancel() }
}

// late reports whether a call's context is over because its time is.
func (r *request) late(ctx context.Context) bool {
	return errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(context.Cause(r.context), http.ErrHandlerTimeout)
}

// perform performs one call: it attempts it, renders what became of it, into
// the buffer if that is large enough, and records it.
func (s *Server) perform(
	ctx context.Context, r *request, e *entry, arguments json.RawMessage, buffer []byte,
) (c content, retryAfter string) {
	start := time.Now()
	ctx, cancel := follow(ctx, r, s.callTime(r))
	defer cancel()
	ctx = s.begin(ctx, r, e)
	o := s.attempt(ctx, r, e, arguments)
	s.disown(ctx, r, e, &o)
	s.weigh(ctx, r, e, &o)
	c = s.render(buffer, e, &o)
	s.record(ctx, r, e, len(arguments), o, time.Since(start))
	return c, o.retryAfter
}

// attempt checks the arguments, dispatches them once and judges the reply.
func (s *Server) attempt(ctx context.Context, r *request, e *entry, arguments json.RawMessage) (o outcome) {
	a := &attempt{exchange: s.exchange, observer: s.observer}
	defer func() {
		if p := recover(); p != nil {
			o = s.failed(e, a, errors.New(ofPanic(p)))
		}
	}()
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	if limit := s.argumentLimit(); len(arguments) > limit {
		return failf(codeArgumentsTooLarge, "the arguments are larger than %d bytes; nothing was sent", limit)
	}
	if err := s.validator.Arguments(e.operation, arguments); err != nil {
		if _, ok := errors.AsType[*validate.Mismatch](err); !ok {
			return s.failed(e, a, err)
		}
		return failf(codeInvalidArguments, "%s; nothing was sent", bounded(err.Error(), 400))
	}
	if s.options.Context != nil {
		ctx = s.options.Context(ctx, r.principal, e.operation)
	}
	if s.options.Inject != nil {
		values, err := s.options.Inject(ctx, r.principal, e.operation)
		if err != nil {
			return s.failed(e, a, err)
		}
		ctx = tool.WithInjected(ctx, values)
	}
	reply, err := s.catalog.Dispatch(ctx, a, e.operation, arguments)
	if err != nil {
		return s.unanswered(ctx, r, e, a, reply, err)
	}
	end, err := s.gate.checks.begin(ctx, reply.Body)
	if err != nil {
		return s.overloaded(e, outcome{status: reply.Status})
	}
	defer end()
	return s.judge(e, a, reply)
}

// unanswered makes an outcome of a call that has no usable reply.
func (s *Server) unanswered(ctx context.Context, r *request, e *entry, a *attempt, reply tool.Result, err error) outcome {
	if refused, ok := errors.AsType[*tool.ArgumentError](err); ok && !a.sent.Load() {
		return failf(codeInvalidArguments, "%s; nothing was sent", bounded(refused.Error(), 400))
	}
	if f, ok := errors.AsType[*fault.Fault](err); ok && !a.sent.Load() {
		o := failf(string(f.Code), "%s", f.Message)
		o.cause = err
		if f.RetryAfter > 0 {
			o.retryAfter = seconds(f.RetryAfter)
		}
		return o
	}
	if refused, ok := errors.AsType[*tool.RemoteError](err); ok {
		return s.refusedRemotely(e, refused)
	}
	if s.catalog.Bare && r.late(ctx) {
		o := failf(string(fault.Timeout), "the tool did not finish in time")
		if o.cause = err; e.operation.Effect != tool.Read {
			o.message += s.ifUnknown()
		}
		return o
	}
	send, ok := errors.AsType[*tool.SendError](err)
	if !ok {
		return s.failed(e, a, err)
	}
	if reply.Status >= 300 {
		// The head says enough, although the body is unusable.
		reply.Body = nil
		o := s.judge(e, a, reply)
		o.cause = send
		return o
	}
	var o outcome
	switch {
	case !send.Sent:
		return outcome{code: codeUnreachable, message: "the API could not be reached; nothing was sent", cause: send}
	case errors.Is(err, tool.ErrTooLarge):
		o = s.tooLarge(e, s.replyLimit())
	case errors.Is(err, tool.ErrCoding):
		o = failf(codeInvalidResponse,
			"the API answered status %d with a body in a content coding that cannot be read", reply.Status)
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		o = failf(codeTimeout, "the API did not answer in time")
	default:
		o = failf(codeLost, "the API's answer was lost")
	}
	o.status, o.cause = reply.Status, send
	return o.unknownIf(e.operation.Effect != tool.Read, s.ifUnknown())
}

// refusedRemotely hands on what the service's RPC answered. What broke inside it
// may have happened; its other errors say by themselves what they leave open.
func (s *Server) refusedRemotely(e *entry, refused *tool.RemoteError) outcome {
	o := failf(refused.Code, "%s", refused.Message)
	o.status, o.retryAfter = refused.Status, retryAfter(refused.RetryAfter)
	if refused.Code != string(fault.Internal) {
		return o
	}
	o.cause = refused
	return o.unknownIf(e.operation.Effect != tool.Read, s.ifUnknown())
}

// failed makes an outcome of a mistake of ours. Its cause is for the log alone.
func (s *Server) failed(e *entry, a *attempt, err error) outcome {
	o := outcome{code: string(fault.Internal), message: "internal error", cause: err}
	return o.unknownIf(a.sent.Load() && e.operation.Effect != tool.Read, s.ifUnknown())
}

// attempt is the one exchange that a call may have. It knows whether anything
// went out, for a panic that comes after.
type attempt struct {
	exchange tool.Exchange
	observer *observe.Observer
	sent     atomic.Bool
}

var errSecondAttempt = errors.New("a call sends one request")

// Base implements tool.Exchange.
func (a *attempt) Base(document string) string { return a.exchange.Base(document) }

// Send implements tool.Exchange, once.
func (a *attempt) Send(ctx context.Context, op *tool.Operation, r *http.Request) (tool.Result, error) {
	if a.sent.Swap(true) {
		return tool.Result{}, errSecondAttempt
	}
	ctx, answered := a.observer.Send(ctx, r)
	result, err := a.exchange.Send(ctx, op, r)
	answered(result.Status)
	if send, ok := errors.AsType[*tool.SendError](err); ok && !send.Sent {
		a.sent.Store(false)
	}
	return result, err
}
