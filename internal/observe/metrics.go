package observe

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the series of one server.
type metrics struct {
	registry  *prometheus.Registry
	calls     *prometheus.CounterVec
	lost      *prometheus.CounterVec
	duration  *prometheus.HistogramVec
	arguments *prometheus.CounterVec
	results   *prometheus.CounterVec
	underWay  prometheus.Gauge
	requests  *prometheus.CounterVec
}

// seconds are the upper bounds of the classes of durations.
var seconds = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pharos_calls_total", Help: "Calls of tools that are over.",
		}, []string{"tool", "operation", "status", "outcome"}),
		lost: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pharos_calls_outcome_unknown_total", Help: "Writes of which it is not known whether they happened.",
		}, []string{"tool"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "pharos_call_duration_seconds", Help: "Time from the begin of a call to its result.", Buckets: seconds,
		}, []string{"tool"}),
		arguments: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pharos_call_argument_bytes_total", Help: "Size of the arguments of calls.",
		}, []string{"tool"}),
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pharos_call_result_bytes_total", Help: "Size of the results of calls.",
		}, []string{"tool"}),
		underWay: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "pharos_calls_in_flight", Help: "Calls of tools under way.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pharos_http_requests_total", Help: "HTTP requests for MCP, refused ones among them, by status.",
		}, []string{"code"}),
	}
	m.registry.MustRegister(
		m.calls, m.lost, m.duration, m.arguments, m.results, m.underWay, m.requests,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

func (m *metrics) record(e *Event, begun bool) {
	m.calls.WithLabelValues(e.Tool, e.Operation, class(e.Status), e.Outcome).Inc()
	if !begun {
		return
	}
	m.underWay.Dec()
	m.duration.WithLabelValues(e.Tool).Observe(e.Duration.Seconds())
	m.arguments.WithLabelValues(e.Tool).Add(float64(e.Arguments))
	m.results.WithLabelValues(e.Tool).Add(float64(e.Result))
	if e.Lost {
		m.lost.WithLabelValues(e.Tool).Inc()
	}
}

// class is what a status begins with: an upstream may answer any number.
func class(status int) string {
	if status < 100 || status > 599 {
		return "none"
	}
	return strconv.Itoa(status/100) + "xx"
}

func (m *metrics) count(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerCounter(m.requests, next)
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}
