// Package observe tells about calls: one log event each, and where they are
// asked for, metrics for Prometheus and spans for an OTLP receiver.
//
// All three are made in one place, Record, out of one Event, which has room
// for names, numbers and outcomes but for no value of a call. Names come from
// the catalog, outcomes from a closed set, so the number of series is bounded
// by the catalog and never by what callers or upstreams send.
//
// It keeps a registry and a tracer of its own: nothing is registered globally,
// and several servers in one process do not mix. What is not asked for is not
// built and costs a comparison with nil.
package observe

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Options say what is told beside the log.
type Options struct {
	// Service names the server in traces.
	Service string
	// Log gets an event for each call; nil is no log.
	Log *slog.Logger
	// Metrics keeps metrics, for Handler to show.
	Metrics bool
	// Traces is the URL of an OTLP receiver over HTTP; empty makes no spans.
	Traces string
	// Sample is the share of calls that are traced, from 0 to 1.
	Sample float64
	// Caller says what becomes of a caller's traceparent.
	Caller Caller
}

// Observer tells about the calls of one server. It is safe for concurrent use.
type Observer struct {
	log     *slog.Logger
	metrics *metrics // nil: none
	traces  *traces  // nil: none
}

// New makes an observer. It connects to nothing; its error is about the URL.
func New(o Options) (*Observer, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	observer := &Observer{log: o.Log}
	if o.Metrics {
		observer.metrics = newMetrics()
	}
	if o.Traces != "" {
		t, err := newTraces(o)
		if err != nil {
			return nil, fmt.Errorf("traces: %w", err)
		}
		observer.traces = t
	}
	return observer, nil
}

// Close sends the spans that are not sent yet, for as long as ctx allows.
func (o *Observer) Close(ctx context.Context) error {
	if o.traces == nil {
		return nil
	}
	return o.traces.provider.Shutdown(ctx)
}

// Requests counts the answers of a handler by status where metrics are kept.
func (o *Observer) Requests(next http.Handler) http.Handler {
	if o.metrics == nil {
		return next
	}
	return o.metrics.count(next)
}

// Handler shows the metrics to Prometheus. It is nil where none are kept.
func (o *Observer) Handler() http.Handler {
	if o.metrics == nil {
		return nil
	}
	return o.metrics.handler()
}

// Unknown is the tool of a call that names none of the catalog.
const Unknown = "unknown"

// Event is what is told of one call.
type Event struct {
	Tool      string // of the catalog, or Unknown
	Operation string
	Caller    string // the subject of who called; for the log alone
	Request   string // what the caller names its request by; for the log alone
	Status    int    // of the upstream's answer; 0 without one
	Refused   int    // HTTP status of a call that was refused before it began; for the log alone
	Outcome   string // of a closed set
	Code      string // of the error, which an API may have chosen; for the log alone
	Cause     string // of an error that the caller is not told; for the log alone
	Lost      bool   // whether a write happened is not known
	Duration  time.Duration
	Arguments int // bytes
	Result    int // bytes
	Dropped   int // members of the answer that were left out
}

// Record tells about a call that is over. Begun is what Begin returned, or nil
// for a call that was turned away before it began.
func (o *Observer) Record(ctx context.Context, begun *Call, e Event) {
	if o.metrics != nil {
		o.metrics.record(&e, begun != nil)
	}
	trace := ""
	if begun != nil {
		trace = begun.end(&e)
	}
	o.write(ctx, &e, trace)
}

// write makes the log event.
func (o *Observer) write(ctx context.Context, e *Event, trace string) {
	level := slog.LevelInfo
	if e.Cause != "" {
		level = slog.LevelWarn
	}
	if !o.log.Enabled(ctx, level) {
		return
	}
	attributes := make([]slog.Attr, 0, 16)
	attributes = append(attributes,
		slog.String("tool", e.Tool), slog.String("operation", e.Operation), slog.String("caller", e.Caller),
		slog.Int("status", e.Status), slog.String("outcome", e.Outcome), slog.Duration("duration", e.Duration),
		slog.Int("argument_bytes", e.Arguments), slog.Int("bytes", e.Result))
	if e.Code != "" {
		attributes = append(attributes, slog.String("code", e.Code), slog.Bool("outcome_unknown", e.Lost))
	}
	if e.Request != "" {
		attributes = append(attributes, slog.String("request", e.Request))
	}
	if e.Refused != 0 {
		attributes = append(attributes, slog.Int("refused", e.Refused))
	}
	if e.Dropped > 0 {
		attributes = append(attributes, slog.Int("dropped_members", e.Dropped))
	}
	if e.Cause != "" {
		attributes = append(attributes, slog.String("error", e.Cause))
	}
	if trace != "" {
		attributes = append(attributes, slog.String("trace", trace))
	}
	o.log.LogAttrs(ctx, level, "call", attributes...)
}
