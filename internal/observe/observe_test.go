package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/pharos-mcp/pharos/internal/observe"
)

func open(t *testing.T, o observe.Options) *observe.Observer {
	t.Helper()
	observer, err := observe.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return observer
}

// tell tells of one call.
func tell(t *testing.T, o *observe.Observer, e observe.Event) {
	t.Helper()
	ctx, call := o.Begin(t.Context(), t.Context(), e.Tool, e.Operation)
	o.Record(ctx, call, e)
}

var refusedCall = observe.Event{
	Tool: "close_ticket", Operation: "closeTicket", Caller: "someone", Status: 409, Outcome: "refused", Code: "stale",
	Cause: "cut off", Lost: true, Duration: 30 * time.Millisecond, Arguments: 20, Result: 120, Dropped: 2,
}

// TestLog reads the events as they are written.
//
// clause: E-57
func TestLog(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	o := open(t, observe.Options{Log: slog.New(slog.NewJSONHandler(&out, nil))})
	tell(t, o, observe.Event{Tool: "get_ticket", Operation: "getTicket", Caller: "someone", Status: 200, Outcome: "ok",
		Duration: time.Millisecond, Arguments: 3, Result: 5})
	tell(t, o, refusedCall)
	var got []map[string]any
	for line := range strings.Lines(out.String()) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		delete(event, "time")
		got = append(got, event)
	}
	want := []map[string]any{
		{"level": "INFO", "msg": "call", "tool": "get_ticket", "operation": "getTicket", "caller": "someone",
			"status": 200., "outcome": "ok", "duration": 1e6, "argument_bytes": 3., "bytes": 5.},
		{"level": "WARN", "msg": "call", "tool": "close_ticket", "operation": "closeTicket", "caller": "someone",
			"status": 409., "outcome": "refused", "duration": 3e7, "argument_bytes": 20., "bytes": 120., "code": "stale",
			"outcome_unknown": true, "dropped_members": 2., "error": "cut off"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// scrape reads the metrics as Prometheus does and returns our series.
func scrape(t *testing.T, o *observe.Observer) map[string]float64 {
	t.Helper()
	w := httptest.NewRecorder()
	o.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	series := map[string]float64{}
	for name, family := range families {
		if !strings.HasPrefix(name, "pharos_") {
			continue
		}
		if family.GetHelp() == "" {
			t.Errorf("%s has no help", name)
		}
		for _, m := range family.GetMetric() {
			var labels []string
			for _, label := range m.GetLabel() {
				labels = append(labels, label.GetName()+"="+label.GetValue())
			}
			slices.Sort(labels)
			key := name + "{" + strings.Join(labels, ",") + "}"
			series[key] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return series
}

// TestMetrics scrapes and parses.
//
// clause: E-57
func TestMetrics(t *testing.T) {
	t.Parallel()
	o := open(t, observe.Options{Metrics: true})
	tell(t, o, refusedCall)
	tell(t, o, refusedCall)
	o.Record(t.Context(), nil, observe.Event{Tool: observe.Unknown, Outcome: "unknown_tool", Code: "unknown_tool"})
	_, _ = o.Begin(t.Context(), t.Context(), "close_ticket", "closeTicket") // still under way
	answered := o.Requests(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	answered.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/any", nil))
	want := map[string]float64{
		"pharos_calls_total{operation=closeTicket,outcome=refused,status=4xx,tool=close_ticket}": 2,
		"pharos_calls_total{operation=,outcome=unknown_tool,status=none,tool=unknown}":           1,
		"pharos_calls_outcome_unknown_total{tool=close_ticket}":                                  2,
		"pharos_call_duration_seconds{tool=close_ticket}":                                        2,
		"pharos_call_argument_bytes_total{tool=close_ticket}":                                    40,
		"pharos_call_result_bytes_total{tool=close_ticket}":                                      240,
		"pharos_calls_in_flight{}":                                                               1,
		"pharos_http_requests_total{code=418}":                                                   1,
	}
	if diff := cmp.Diff(want, scrape(t, o)); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
}

// TestNothingCostsNothing counts allocations, so it runs alone.
func TestNothingCostsNothing(t *testing.T) {
	o := open(t, observe.Options{})
	if o.Handler() != nil {
		t.Error("there are metrics that nobody asked for")
	}
	next := http.NewServeMux()
	if o.Requests(next) != next || o.Callers(next) != next {
		t.Error("requests go through handlers that nobody asked for")
	}
	ctx, r := context.Background(), httptest.NewRequest(http.MethodGet, "/", nil)
	allocated := testing.AllocsPerRun(100, func() {
		inside, call := o.Begin(ctx, ctx, "t", "o")
		_, answered := o.Send(inside, r)
		answered(200)
		o.Record(inside, call, observe.Event{Tool: "t", Operation: "o"})
	})
	if allocated != 0 {
		t.Errorf("a call that nobody asks about allocates %v times", allocated)
	}
}
