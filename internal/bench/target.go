package main

import (
	"fmt"
	"slices"
	"time"
)

// target is a server under load: its process, and connections to it.
type target struct {
	name        string
	process     *process
	connections []*loader
}

// mostConnections is how many connections there are to each target; levels are
// how many of them are used at the same time.
const mostConnections = 32

var levels = []int{1, 8, mostConnections}

// aim opens the connections to a process. Each has the exchanges of its own
// that exchanges makes, by operation.
func aim(name string, p *process, exchanges func(connection int) ([][]exchange, error)) (*target, error) {
	t := &target{name: name, process: p}
	for i := range mostConnections {
		sets, err := exchanges(i)
		if err != nil {
			t.close()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		l, err := dial(p.Address, sets)
		if err != nil {
			t.close()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.connections = append(t.connections, l)
	}
	return t, nil
}

func (t *target) close() {
	for _, l := range t.connections {
		_ = l.c.Close()
	}
}

// sample is what calls at one time took.
type sample struct {
	rate      float64         // calls in a second
	cpu       float64         // of the server, µs a call
	allocated float64         // by the server, bytes a call
	latencies []time.Duration // of each call
}

// sample calls an operation with a number of connections for a time, after a
// moment that does not count.
func (t *target) sample(operation, level int, length time.Duration) (s sample, err error) {
	connections := t.connections[:level]
	if _, err := load(connections, operation, length/8); err != nil {
		return s, fmt.Errorf("%s: %w", t.name, err)
	}
	before, err := usageAt(t.process.Usage)
	if err != nil {
		return s, err
	}
	began := time.Now()
	if s.latencies, err = load(connections, operation, length); err != nil {
		return s, fmt.Errorf("%s: %w", t.name, err)
	}
	took := time.Since(began)
	after, err := usageAt(t.process.Usage)
	if err != nil {
		return s, err
	}
	calls := float64(len(s.latencies))
	s.rate = calls / took.Seconds()
	s.cpu = float64(after.CPU-before.CPU) / 1e3 / calls
	s.allocated = float64(after.Allocated-before.Allocated) / calls
	return s, nil
}

// samples are those of one target, operation and level, one a round.
type samples []sample

func (s samples) median(of func(sample) float64) float64 {
	values := make([]float64, len(s))
	for i, one := range s {
		values[i] = of(one)
	}
	return median(values)
}

// ratio is the median of what is measured in relation to another target, round
// by round.
func (s samples) ratio(to samples, of func(sample) float64) float64 {
	values := make([]float64, len(s))
	for i := range s {
		values[i] = of(s[i]) / of(to[i])
	}
	return median(values)
}

// latency is the one that a share of the calls of all rounds did not exceed.
func (s samples) latency(share float64) time.Duration {
	var all []time.Duration
	for _, one := range s {
		all = append(all, one.latencies...)
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(share*float64(len(all))))]
}

func rate(s sample) float64      { return s.rate }
func cpu(s sample) float64       { return s.cpu }
func allocated(s sample) float64 { return s.allocated }

// median is the middle one of values; of an even number, the larger.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
