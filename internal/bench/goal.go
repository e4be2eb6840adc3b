package main

import "fmt"

// goal is one thing that was measured and the most, or the least, it may be.
type goal struct {
	name     string
	measured float64
	bound    float64
	unit     string
	least    bool
}

func (g goal) reached() bool {
	if g.least {
		return g.measured >= g.bound
	}
	return g.measured <= g.bound
}

// worse reports whether a value is farther from the goal than what was measured.
func (g goal) worse(value float64) bool {
	if g.least {
		return value < g.measured
	}
	return value > g.measured
}

// String is the line that others read.
func (g goal) String() string {
	verdict := "ok"
	if !g.reached() {
		verdict = "short"
	}
	return fmt.Sprintf("goal %s %.4g%s %.4g%s %s", g.name, g.measured, g.unit, g.bound, g.unit, verdict)
}
