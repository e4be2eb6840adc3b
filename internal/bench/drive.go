package main

import (
	"errors"
	"time"
)

// drive lets each worker make its calls, one after the other, for a time, and
// returns how long every call took.
func drive(workers []func() error, length time.Duration) ([]time.Duration, error) {
	type result struct {
		latencies []time.Duration
		err       error
	}
	results := make(chan result, len(workers))
	until := time.Now().Add(length)
	for _, call := range workers {
		go func() {
			var r result
			for began := time.Now(); r.err == nil && (began.Before(until) || len(r.latencies) == 0); {
				r.err = call()
				ended := time.Now()
				r.latencies = append(r.latencies, ended.Sub(began))
				began = ended
			}
			results <- r
		}()
	}
	var all []time.Duration
	var faults []error
	for range workers {
		r := <-results
		all, faults = append(all, r.latencies...), append(faults, r.err)
	}
	return all, errors.Join(faults...)
}
