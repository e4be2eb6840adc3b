package edge

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/drain"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// Observe says what is told of calls beside the log (E-57). Its zero value is
// nothing, and costs nothing.
type Observe struct {
	// Metrics is the address, host and port on loopback, of a listener that
	// shows metrics to Prometheus at /metrics. Empty keeps none.
	Metrics string `json:"metrics,omitempty"`
	// Traces is the URL of an OTLP receiver over HTTP, such as
	// http://127.0.0.1:4318/v1/traces. Empty makes no spans.
	Traces string `json:"traces,omitempty"`
	// Sample is the share of calls that are traced, above 0 and up to 1. Zero
	// means 1.
	Sample float64 `json:"sample,omitempty"`
	// Caller says what a caller's traceparent is to the span of its call:
	// "link" or "parent". Empty means that it is not looked at. What the
	// upstream gets is always our own.
	Caller string `json:"caller,omitempty"`
}

func (o Observe) check(ps *Problems) {
	if o.Metrics != "" {
		host, _, err := net.SplitHostPort(o.Metrics)
		if err != nil || !httpguard.IsLoopback(host) {
			ps.addf("observe.metrics: %q is not host:port on loopback", o.Metrics)
		}
	}
	if o.Traces != "" {
		if err := observe.CheckURL(o.Traces); err != nil {
			ps.addf("observe.traces: %v", err)
		}
	}
	if o.Sample < 0 || o.Sample > 1 {
		ps.addf("observe.sample: %v is not a share from 0 to 1", o.Sample)
	}
	switch observe.Caller(o.Caller) {
	case observe.Ignored, observe.Linked, observe.Parent:
	default:
		ps.addf(`observe.caller: %q is neither "link" nor "parent"`, o.Caller)
	}
}

// observer makes what the configuration, which has been checked, asks for.
func (s *Server) newObserver() (*observe.Observer, error) {
	c := s.config.Observe
	if c.Sample == 0 {
		c.Sample = 1
	}
	return observe.New(observe.Options{
		Service: s.catalog.Name, Log: s.log, Metrics: c.Metrics != "",
		Traces: c.Traces, Sample: c.Sample, Caller: observe.Caller(c.Caller),
	})
}

// observed runs a server with its metrics beside it, and sends the last spans
// when it has ended. The listener for the metrics is opened here if it is nil.
func (s *Server) observed(ctx context.Context, metrics net.Listener, run func(context.Context) error) error {
	defer func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		defer cancel()
		_ = s.observer.Close(last) // what was not taken has been logged
	}()
	handler := s.observer.Handler()
	if handler == nil {
		return run(ctx)
	}
	if metrics == nil {
		var err error
		if metrics, err = s.listenMetrics(); err != nil {
			return err
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", httpguard.New(httpguard.Options{}, handler))
	// Metrics are there until the last call is over.
	until, stop := context.WithCancel(context.WithoutCancel(ctx))
	stopped := make(chan error, 1)
	go func() { stopped <- drain.Serve(until, metrics, newHTTPServer(mux), drain.Options{Patience: flushTime}) }()
	err := run(ctx)
	stop()
	if ended := <-stopped; err == nil {
		err = ended
	}
	return err
}

// flushTime bounds how long a server that has ended tells of its last calls.
const flushTime = 3 * time.Second

func (s *Server) listenMetrics() (net.Listener, error) {
	l, err := drain.Listen(context.Background(), s.config.Observe.Metrics)
	if err == nil {
		s.config.Observe.Metrics = l.Addr().String() // the system may have chosen the port
	}
	return l, err
}

// begin begins to tell of a call; record ends it.
func (s *Server) begin(ctx context.Context, r *request, e *entry) context.Context {
	r.told.Store(true)
	request := s.observer.Meta(r.context, r.message.Meta)
	ctx, r.observed = s.observer.Begin(ctx, request, e.operation.Tool, e.operation.ID)
	return ctx
}

// record tells what became of a call: names and numbers, no values (E-57).
func (s *Server) record(ctx context.Context, r *request, e *entry, arguments int, o outcome, took time.Duration) {
	event := observe.Event{
		Tool: e.operation.Tool, Operation: e.operation.ID, Caller: r.principal.Subject, Request: requestID(ctx),
		Status: o.status, Outcome: o.class(), Code: o.code, Lost: o.unknown,
		Duration: took, Arguments: arguments, Result: o.size, Dropped: o.dropped,
	}
	if o.cause != nil {
		event.Cause = withoutValues(o.cause)
	}
	s.observer.Record(ctx, r.observed, event)
}

// ofPanic is the text of a panic for the log: where it was, and what the run
// time says of it. What our own code or a handler's throws may repeat a value.
func ofPanic(p any) string {
	what := fmt.Sprintf("a value of type %T", p)
	if e, ok := p.(runtime.Error); ok {
		what = e.Error()
	}
	return "panic: " + what + "\n" + string(debug.Stack())
}

// hush is deferred around what may panic outside of a call. Package net/http
// would log what was thrown, which may repeat a token or a value; the request is
// cut either way.
func (s *Server) hush(ctx context.Context) {
	p := recover()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler {
		s.log.ErrorContext(ctx, "request", "error", ofPanic(p))
	}
	panic(http.ErrAbortHandler)
}

// The outcomes of calls that are turned away before they begin.
const (
	outcomeUnknownTool = "unknown_tool"
	outcomeForbidden   = "forbidden"
)

// turnedAway tells of a call that does not begin because of what it calls. A
// tool that is not in the catalog has no name here: callers choose it.
func (s *Server) turnedAway(ctx context.Context, r *request, e *entry, outcome string) {
	event := observe.Event{Tool: observe.Unknown, Outcome: outcome, Code: outcome, Request: requestID(ctx)}
	if e != nil {
		event.Tool, event.Operation = e.operation.Tool, e.operation.ID
	}
	if outcome == outcomeForbidden {
		event.Refused = http.StatusForbidden
	}
	if r != nil {
		r.told.Store(true)
		event.Caller = r.principal.Subject
	}
	s.observer.Record(ctx, nil, event)
}

// class is the outcome as metrics and traces tell it. The set is closed: a code
// that an API or a handler has chosen is "refused".
func (o *outcome) class() string {
	switch o.code {
	case "":
		if o.status >= 400 {
			return "recorded" // an outcome that the API keeps (E-16)
		}
		return "ok"
	case codeInvalidArguments, codeArgumentsTooLarge, codeTooLarge, codeInvalidResponse,
		codeUnreachable, codeTimeout, codeLost, codeOverloaded, string(fault.Internal), string(fault.Timeout):
		return o.code
	}
	if strings.HasPrefix(o.code, "upstream_") && o.status >= 500 {
		return "upstream_error"
	}
	return "refused"
}
