package words

import (
	"fmt"
	"time"
)

var (
	monthsEN = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September",
		"October", "November", "December"}
	monthsPL = [...]string{"stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca", "sierpnia",
		"września", "października", "listopada", "grudnia"}
)

// Moment is a time as a page shows it: for people and for programs.
type Moment struct{ Text, ISO string }

// Moment writes a time, in UTC, for people who read this language.
func (w *Words) Moment(t time.Time) Moment {
	t = t.UTC()
	month := monthsEN[t.Month()-1]
	if w.Tag == polish.Tag {
		month = monthsPL[t.Month()-1]
	}
	return Moment{
		Text: fmt.Sprintf("%d %s %d, %02d:%02d UTC", t.Day(), month, t.Year(), t.Hour(), t.Minute()),
		ISO:  t.Format(time.RFC3339),
	}
}
