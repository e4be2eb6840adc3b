package main

import "fmt"

// goal is one thing that was measured and the most it may be.
type goal struct {
	name     string
	measured float64
	most     float64
	unit     string
}

func (g goal) reached() bool { return g.measured <= g.most }

// String is the line that others read.
func (g goal) String() string {
	verdict := "ok"
	if !g.reached() {
		verdict = "short"
	}
	return fmt.Sprintf("goal %s %.4g%s %.4g%s %s", g.name, g.measured, g.unit, g.most, g.unit, verdict)
}
