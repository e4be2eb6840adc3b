package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// The goals of the platform.
const (
	readGoal = 0.5 // of what pgx alone reads in a second
	listGoal = 3   // times a list out of few
)

// How many tickets there are where there are few and where there are many.
const (
	fewTickets  = 1_000
	manyTickets = 1_000_000
)

// How often, and for how long, each kind of request is measured.
const (
	platformRounds = 15
	platformTime   = 150 * time.Millisecond
)

// subject is what is measured: workers that do the same thing.
type subject struct {
	name    string
	workers []func() error
}

// comparison is something that several subjects do. The last of them is what
// the others are held against.
type comparison struct {
	name     string
	levels   []int // how many workers there are at a time
	subjects []subject
}

// cell is where the samples of a subject are.
func (c comparison) cell(subject, level int) cell {
	return cell{c.subjects[subject].name, c.name, level}
}

// platformPart measures the platform's API over HTTP: reads and writes beside
// the same statements by pgx alone, lists out of many beside lists out of few.
func platformPart(ctx context.Context, stdout io.Writer) ([]goal, error) {
	b := &platformBench{}
	defer b.close()
	if err := b.open(ctx, stdout); err != nil {
		return nil, err
	}
	rows, err := b.rows(ctx)
	if err != nil {
		return nil, err
	}
	lists, err := b.lists()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(stdout, "platform: %d rounds, %v each; each request has a token, and is logged to a file\n", platformRounds, platformTime)
	cells, err := compare(ctx, slices.Concat(rows, lists), platformRounds, platformTime)
	if err != nil {
		return nil, err
	}
	describeComparisons(stdout, slices.Concat(rows, lists), cells)
	return judgePlatform(stdout, rows, lists, cells), nil
}

// compare lets every subject do what it does in turn, round after round, the
// other way round in every second.
func compare(ctx context.Context, all []comparison, rounds int, length time.Duration) (map[cell]samples, error) {
	cells := map[cell]samples{}
	for round := range rounds {
		for _, c := range all {
			for _, level := range c.levels {
				for n := range c.subjects {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					if round%2 == 1 {
						n = len(c.subjects) - 1 - n
					}
					s := c.subjects[n]
					began := time.Now()
					latencies, err := drive(s.workers[:level], length)
					if err != nil {
						return nil, fmt.Errorf("%s, %s: %w", c.name, s.name, err)
					}
					rate := float64(len(latencies)) / time.Since(began).Seconds()
					at := c.cell(n, level)
					cells[at] = append(cells[at], sample{rate: rate, latencies: latencies})
				}
			}
		}
	}
	return cells, nil
}

// describeComparisons prints the medians of everything.
func describeComparisons(stdout io.Writer, all []comparison, cells map[cell]samples) {
	fmt.Fprintf(stdout, "%-36s %2s  %-12s %8s %7s %8s %8s\n", "", "c", "", "calls/s", "×last", "p50 ms", "p99 ms")
	for _, c := range all {
		for _, level := range c.levels {
			last := cells[c.cell(len(c.subjects)-1, level)]
			for n, subject := range c.subjects {
				s := cells[c.cell(n, level)]
				fmt.Fprintf(stdout, "%-36s %2d  %-12s %8.0f %7.2f %8.2f %8.2f\n", c.name, level, subject.name, s.median(rate),
					s.ratio(last, rate), milliseconds(s.latency(0.5)), milliseconds(s.latency(0.99)))
			}
		}
	}
}

// judgePlatform holds the worst level of a read, and the worst list, against
// the goals.
func judgePlatform(stdout io.Writer, rows, lists []comparison, cells map[cell]samples) []goal {
	goals := []goal{
		{name: "platform-read-to-pgx", bound: readGoal, unit: "x", least: true},
		{name: "platform-list-of-many", bound: listGoal, unit: "x"},
	}
	for i, all := range [][]comparison{rows[:1], lists} {
		g, worst := &goals[i], ""
		for _, c := range all {
			for _, level := range c.levels {
				first, last := cells[c.cell(0, level)], cells[c.cell(len(c.subjects)-1, level)]
				measured := first.ratio(last, rate)
				if !g.least {
					measured = last.ratio(first, rate)
				}
				if worst == "" || g.worse(measured) {
					g.measured, worst = measured, fmt.Sprintf("%s, %d at a time", c.name, level)
				}
			}
		}
		fmt.Fprintf(stdout, "%s is worst with %s\n", g.name, worst)
	}
	return goals
}
