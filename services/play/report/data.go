package report

import (
	"iter"
	"time"
)

// Data is what a report is made of. Texts are as people wrote them.
type Data struct {
	Title           string // of the scenario
	SourceVersion   int64  // of the scenario
	GM              string // what the game master is called
	Player          string
	Mode            string // absence, downtime or solo
	Status          string // active or completed
	Version         int64
	Scene           string // where the player is now
	CreatedAt       time.Time
	UpdatedAt       time.Time
	Character       string
	Brief           string
	Instructions    string
	Boundaries      string
	ReturnCondition string
	GMNotes         *string // nil for whom they are not
	Memory          string
	Summary         *string // nil while the session goes on
	Pending         int64   // consequences that wait for a decision
	// Journal gives the events, the oldest first, as they are needed; nil has
	// none. An error ends it and the report.
	Journal iter.Seq2[Entry, error]
}

func (d Data) entries() iter.Seq2[Entry, error] {
	if d.Journal == nil {
		return func(func(Entry, error) bool) {}
	}
	return d.Journal
}

// Entry is an event of the journal: a turn with its action and narration, or
// the end with its summary.
type Entry struct {
	Version      int64
	Kind         string // turn or finish
	Action       string
	Narration    string
	Summary      string
	Scene        string
	At           time.Time
	Consequences []Consequence
}

// Consequence is an effect on the campaign that a turn proposed.
type Consequence struct {
	Category    string
	Description string
	Status      string // pending, approved or rejected
	Note        string // of who decided
	DecidedAt   *time.Time
}
