package engine

// Tick is the stable tick that the episode is at.
func (e *Episode) Tick() int64 { return e.tick }

// Scenario is what is played.
func (e *Episode) Scenario() Scenario { return e.scenario }

// Seed is what decides about chance.
func (e *Episode) Seed() int64 { return e.seed }

// Lifecycle is "running" or "terminal".
func (e *Episode) Lifecycle() string {
	if e.over == "" {
		return "running"
	}
	return "terminal"
}

// TerminalReason is "resolved", "tick_limit", or "" while it runs.
func (e *Episode) TerminalReason() string { return e.over }

// Outcome is what a game comes to. It is told when it is over.
type Outcome struct{ Casualties, BuildingsLost int64 }

// Outcome counts so far.
func (e *Episode) Outcome() Outcome { return Outcome{e.casualties, e.lost} }
