package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCallGoals: the worst operation, level and era counts, with the median of
// the rounds and the faster of the SDK's modes.
func TestCallGoals(t *testing.T) {
	t.Parallel()
	cells := map[cell]samples{}
	for _, operation := range operations {
		for _, level := range levels {
			for name, s := range map[string]sample{
				"proxy": {rate: 100, cpu: 10}, "sdk stateful": {rate: 20}, "sdk stateless": {rate: 25},
				"edge 2025": {rate: 90, cpu: 12, allocated: 9000}, "edge 2026": {rate: 95, cpu: 11, allocated: 9500},
			} {
				cells[cell{name, operation, level}] = samples{s, s, s}
			}
		}
	}
	cells[cell{"edge 2026", "post", 8}] = samples{
		{rate: 50, cpu: 25, allocated: 8000}, {rate: 1, cpu: 1, allocated: 8000}, {rate: 99, cpu: 99, allocated: 8000},
	}
	var text strings.Builder
	var got []string
	for _, g := range callGoals(&text, cells) {
		got = append(got, g.String())
	}
	want := []string{
		"goal edge-rate-to-proxy 0.5x 0.6x short", "goal edge-cpu-to-proxy 2.5x 2x short",
		"goal edge-rate-to-sdk 2x 2.5x short", "goal edge-bytes-a-call 9.5kB 24kB ok",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("goals (-want +got):\n%s", diff)
	}
	if !strings.Contains(text.String(), "edge-rate-to-sdk: the plain proxy, with no MCP at all, reaches 4x there\n") {
		t.Errorf("got %q", text.String())
	}
	if !strings.HasPrefix(text.String(), "edge-rate-to-proxy is worst with edge 2026, post, 8 at a time\n") {
		t.Errorf("got %q", text.String())
	}
}

func TestSamples(t *testing.T) {
	t.Parallel()
	s := samples{
		{rate: 1, latencies: []time.Duration{5, 1}}, {rate: 9, latencies: []time.Duration{2, 4}}, {rate: 4, latencies: []time.Duration{3}},
	}
	double := samples{{rate: 2}, {rate: 3}, {rate: 8}}
	got := []float64{s.median(rate), s.ratio(double, rate), float64(s.latency(0.5)), float64(s.latency(0.99))}
	if diff := cmp.Diff([]float64{4, 0.5, 3, 5}, got); diff != "" {
		t.Errorf("median, ratio, p50, p99 (-want +got):\n%s", diff)
	}
}
