package observe_test

import (
	"bytes"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/pharos-mcp/pharos/internal/observe"
)

// receiver is an OTLP receiver over HTTP.
type receiver struct {
	t *testing.T

	mu    sync.Mutex
	spans []*trace.Span
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		r.t.Error(err)
	}
	var export collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &export); err != nil || request.URL.Path != "/v1/traces" {
		r.t.Errorf("%s: %v", request.URL.Path, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, resource := range export.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			r.spans = append(r.spans, scope.GetSpans()...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// span is as much of a span as these tests compare.
type span struct {
	Name       string
	Parent     string // the id of a span, or its name if that was received too
	Links      []string
	Attributes map[string]string
	Failed     string
}

// read returns the spans by trace and name.
func (r *receiver) read() (spans map[string]span, traces map[string]string) {
	names := map[string]string{}
	for _, s := range r.spans {
		names[string(s.GetSpanId())] = s.GetName()
	}
	spans, traces = map[string]span{}, map[string]string{}
	for _, s := range r.spans {
		got := span{Name: s.GetName(), Attributes: map[string]string{}, Failed: s.GetStatus().GetMessage()}
		if parent, ok := names[string(s.GetParentSpanId())]; ok {
			got.Parent = parent
		} else {
			got.Parent = hex.EncodeToString(s.GetParentSpanId())
		}
		for _, l := range s.GetLinks() {
			got.Links = append(got.Links, hex.EncodeToString(l.GetTraceId())+"-"+hex.EncodeToString(l.GetSpanId()))
		}
		for _, a := range s.GetAttributes() {
			got.Attributes[a.GetKey()] = a.GetValue().GetStringValue()
		}
		spans[s.GetName()] = got
		traces[s.GetName()] = hex.EncodeToString(s.GetTraceId())
	}
	return spans, traces
}

const (
	callersTrace = "0af7651916cd43dd8448eb211c80319c"
	callersSpan  = "b7ad6b7169203331"
	callers      = "00-" + callersTrace + "-" + callersSpan + "-00" // not sampled, which is for us to decide
	inMeta       = `{"a":1,"traceparent":"` + callers + `"}`
)

// TestTraces sends spans to a receiver and looks at what the upstream gets.
//
// clause: E-57
func TestTraces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		caller      observe.Caller
		traceparent []string
		meta        string
		parent      string
		links       []string
		ours        bool // the trace is not the caller's
	}{
		"ignored":      {observe.Ignored, []string{callers}, inMeta, "", nil, true},
		"a link":       {observe.Linked, []string{callers}, "", "", []string{callersTrace + "-" + callersSpan}, true},
		"the parent":   {observe.Parent, []string{callers}, "", callersSpan, nil, false},
		"of a message": {observe.Parent, nil, inMeta, callersSpan, nil, false},
		"of both":      {observe.Parent, []string{"00-" + callersSpan + callersSpan + "-" + callersSpan + "-01"}, inMeta, callersSpan, nil, false},
		"none":         {observe.Parent, nil, `{"traceparent":null,"tracestate":"a=b"}`, "", nil, true},
		"broken":       {observe.Parent, []string{"00-" + callersTrace + "-0-01"}, `{"traceparent":1}`, "", nil, true},
		"an odd value": {observe.Linked, []string{"secret\x00\xff"}, `{"traceparent":"secret"}`, "", nil, true},
		"another case": {observe.Linked, nil, `{"Traceparent":"` + callers + `"}`, "", nil, true},
		"no _meta":     {observe.Linked, nil, `"` + callers + `"`, "", nil, true},
		"two":          {observe.Linked, []string{callers, "x"}, "", "", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &receiver{t: t}
			server := httptest.NewServer(r)
			defer server.Close()
			o := open(t, observe.Options{Service: "shop", Traces: server.URL + "/v1/traces", Sample: 1, Caller: c.caller})
			request := httptest.NewRequest(http.MethodPost, "/", nil)
			request.Header["Traceparent"] = c.traceparent
			request.Header.Set("Tracestate", "secret=state")
			request.Header.Set("Baggage", "secret=baggage")
			upstream := httptest.NewRequest(http.MethodPost, "/", nil)
			o.Callers(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
				ctx, call := o.Begin(t.Context(), o.Meta(request.Context(), []byte(c.meta)), "close_ticket", "closeTicket")
				_, answered := o.Send(ctx, upstream)
				answered(409)
				o.Record(ctx, call, refusedCall)
			})).ServeHTTP(httptest.NewRecorder(), request)
			if err := o.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			spans, traces := r.read()
			want := map[string]span{
				"tools/call close_ticket": {Name: "tools/call close_ticket", Parent: c.parent, Links: c.links, Failed: "refused",
					Attributes: map[string]string{
						"mcp.method.name": "tools/call", "gen_ai.tool.name": "close_ticket", "pharos.operation": "closeTicket",
						"pharos.outcome": "refused", "error.type": "refused", "pharos.argument_bytes": "",
						"pharos.result_bytes": "", "http.response.status_code": "", "pharos.outcome_unknown": "",
					}},
				"POST": {Name: "POST", Parent: "tools/call close_ticket",
					Attributes: map[string]string{"http.request.method": "POST", "http.response.status_code": ""}},
			}
			if diff := cmp.Diff(want, spans); diff != "" {
				t.Errorf("spans (-want +got):\n%s", diff)
			}
			if id := traces["POST"]; (id != callersTrace) != c.ours || id != traces["tools/call close_ticket"] {
				t.Errorf("traces %v", traces)
			}
			// The upstream gets ours: the trace of the call and the span of the request.
			sent := upstream.Header.Get("Traceparent")
			if !strings.HasPrefix(sent, "00-"+traces["POST"]+"-") || strings.Contains(sent, callersSpan) {
				t.Errorf("the upstream got %q, in the trace %s", sent, traces["POST"])
			}
			if len(upstream.Header) != 1 {
				t.Errorf("the upstream got %v", upstream.Header)
			}
		})
	}
}

func TestTracesWithoutReceiver(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	var out bytes.Buffer
	o := open(t, observe.Options{Traces: server.URL, Sample: 1, Log: slog.New(slog.NewTextHandler(&out, nil))})
	tell(t, o, refusedCall)
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "spans were not taken by the receiver") {
		t.Errorf("the log says nothing of it: %s", out.String())
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	r := &receiver{t: t}
	server := httptest.NewServer(r)
	defer server.Close()
	o := open(t, observe.Options{Traces: server.URL + "/v1/traces", Sample: 1e-9})
	for range 50 {
		tell(t, o, refusedCall)
	}
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.spans) > 1 {
		t.Errorf("%d spans of one in a thousand million", len(r.spans))
	}
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for url, ok := range map[string]bool{
		"http://127.0.0.1:4318/v1/traces": true, "https://a": true, "a": false, "ftp://a": false, "http://": false,
		"http://u:p@a/": false, "http://a/?key=secret": false, "http://a/#f": false, "http://[": false,
	} {
		if err := observe.CheckURL(url); (err == nil) != ok {
			t.Errorf("%s: %v", url, err)
		}
	}
}
