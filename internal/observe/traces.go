package observe

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Caller says what becomes of the traceparent that a caller sends. Whatever it
// is, the sampling is ours, and no tracestate or baggage is taken.
type Caller string

// What a caller's traceparent can be for a call's span.
const (
	Ignored Caller = ""       // nothing
	Linked  Caller = "link"   // a link: the trace is our own
	Parent  Caller = "parent" // its parent: the span belongs to the caller's trace
)

// traces make spans.
type traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	caller   Caller
}

// The bounds of sending spans. A receiver that is slow or gone costs calls
// nothing: what finds the queue full is dropped.
const (
	sendEvery = 2 * time.Second
	sendTime  = 5 * time.Second
	queued    = 4096
)

func newTraces(o Options) (*traces, error) {
	if err := CheckURL(o.Traces); err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(context.Background(),
		otlptracehttp.WithEndpointURL(o.Traces),
		// In place of what the environment may say.
		otlptracehttp.WithHeaders(map[string]string{}),
		otlptracehttp.WithTimeout(sendTime),
		otlptracehttp.WithHTTPClient(&http.Client{Timeout: sendTime, Transport: &http.Transport{
			MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute,
		}}))
	if err != nil {
		return nil, err
	}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(reporting{exporter, o.Log},
			sdk.WithBatchTimeout(sendEvery), sdk.WithExportTimeout(sendTime), sdk.WithMaxQueueSize(queued)),
		sdk.WithSampler(sdk.TraceIDRatioBased(o.Sample)),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", o.Service))),
		sdk.WithoutPanicRecording(),
	)
	return &traces{provider: provider, tracer: provider.Tracer("github.com/pharos-mcp/pharos"), caller: o.Caller}, nil
}

// reporting logs what becomes of sending spans; without it the SDK would write
// to the standard error of the process.
type reporting struct {
	sdk.SpanExporter
	log *slog.Logger
}

// ExportSpans implements sdk.SpanExporter.
func (r reporting) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if err := r.SpanExporter.ExportSpans(ctx, spans); err != nil {
		r.log.WarnContext(ctx, "traces", "error", "spans were not taken by the receiver", "spans", len(spans))
	}
	return nil
}

// CheckURL reports what is wrong with the URL of a receiver.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("not a URL such as http://127.0.0.1:4318/v1/traces")
	}
	return nil
}

type callerKey struct{}

// Callers keeps the traceparent of a request in its context, where Begin finds
// it, if the options ask for it.
func (o *Observer) Callers(next http.Handler) http.Handler {
	if o.traces == nil || o.traces.caller == Ignored {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if values := r.Header.Values("Traceparent"); len(values) == 1 {
			r = r.WithContext(withCaller(r.Context(), values[0]))
		}
		next.ServeHTTP(w, r)
	})
}

// Meta is Callers for the _meta of a message, which is where clients put it who
// speak over no HTTP, or through somebody. It comes before a header.
func (o *Observer) Meta(request context.Context, meta []byte) context.Context {
	if o.traces == nil || o.traces.caller == Ignored || len(meta) == 0 {
		return request
	}
	var members map[string]json.RawMessage
	var traceparent string
	if json.Unmarshal(meta, &members) != nil || json.Unmarshal(members["traceparent"], &traceparent) != nil {
		return request
	}
	return withCaller(request, traceparent)
}

// withCaller keeps a traceparent that is one.
func withCaller(ctx context.Context, traceparent string) context.Context {
	carrier := propagation.MapCarrier{"traceparent": traceparent}
	remote := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
	if !remote.IsValid() {
		return ctx
	}
	return context.WithValue(ctx, callerKey{}, remote)
}

// Call is one call under way; nil where nothing but the log is told.
type Call struct {
	span trace.Span // nil without traces
}

// Begin begins a call. Request is the context of the request that it came in;
// the context returned is for what the call does.
func (o *Observer) Begin(ctx, request context.Context, tool, operation string) (context.Context, *Call) {
	if o.metrics == nil && o.traces == nil {
		return ctx, nil
	}
	if o.metrics != nil {
		o.metrics.underWay.Inc()
	}
	if o.traces == nil {
		return ctx, &Call{}
	}
	ctx, span := o.traces.begin(ctx, request, tool, operation)
	return ctx, &Call{span: span}
}

func (t *traces) begin(ctx, request context.Context, tool, operation string) (context.Context, trace.Span) {
	options := []trace.SpanStartOption{
		trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(
			attribute.String("mcp.method.name", "tools/call"), attribute.String("gen_ai.tool.name", tool),
			attribute.String("pharos.operation", operation)),
	}
	ctx = trace.ContextWithSpanContext(ctx, trace.SpanContext{}) // nobody else's
	if remote, ok := request.Value(callerKey{}).(trace.SpanContext); ok {
		if t.caller == Parent {
			ctx = trace.ContextWithRemoteSpanContext(ctx, remote)
		} else {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: remote}))
		}
	}
	return t.tracer.Start(ctx, "tools/call "+tool, options...)
}

// end ends the call's span and returns the id of its trace, or "".
func (c *Call) end(e *Event) string {
	if c.span == nil {
		return ""
	}
	c.span.SetAttributes(
		attribute.String("pharos.outcome", e.Outcome), attribute.Int("pharos.argument_bytes", e.Arguments),
		attribute.Int("pharos.result_bytes", e.Result))
	if e.Status != 0 {
		c.span.SetAttributes(attribute.Int("http.response.status_code", e.Status))
	}
	if e.Code != "" {
		c.span.SetAttributes(attribute.String("error.type", e.Outcome), attribute.Bool("pharos.outcome_unknown", e.Lost))
		c.span.SetStatus(codes.Error, e.Outcome)
	}
	c.span.End()
	if !c.span.SpanContext().IsSampled() {
		return ""
	}
	return c.span.SpanContext().TraceID().String()
}

// Send begins the span of a call's request to the upstream and puts our own
// traceparent on it. The function returned ends the span: with the status of
// the answer, or 0 without one.
func (o *Observer) Send(ctx context.Context, r *http.Request) (context.Context, func(status int)) {
	if o.traces == nil {
		return ctx, func(int) {}
	}
	ctx, span := o.traces.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("http.request.method", r.Method)))
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(r.Header))
	return ctx, func(status int) {
		if status != 0 {
			span.SetAttributes(attribute.Int("http.response.status_code", status))
		}
		if status == 0 || status >= 400 {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
