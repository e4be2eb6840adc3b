package run

import (
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Kind says what happened to a run.
type Kind string

// The kinds of events.
const (
	Submitted       Kind = "submitted"
	Started         Kind = "started"
	StepSucceeded   Kind = "step_succeeded"
	StepFailed      Kind = "step_failed"
	CancelRequested Kind = "cancel_requested"
	Requeued        Kind = "requeued" // its executor stopped before the run ended
	Retried         Kind = "retried"
	HasEnded        Kind = Kind(Succeeded)
	HasFailed       Kind = Kind(Failed)
	WasCancelled    Kind = Kind(Cancelled)
)

// maxMessage bounds an event's message, in characters.
const maxMessage = 500

// Event is something that happened to a run.
type Event struct {
	Sequence int64 // rises in the feed of who submitted the run, and so in the run's events
	Run      uuid.UUID
	Attempt  int64
	Kind     Kind
	State    State  // of the run from then on
	Step     *int64 // the number of the step that ended
	Name     string // its name
	Message  string // the beginning of its output, or a reason
	At       time.Time
}

// happening is what is to become an event.
type happening struct {
	kind    Kind
	step    *int64
	name    string
	message string
}

// shorten cuts a text to so many characters, the last of which says so.
func shorten(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
