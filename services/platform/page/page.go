// Package page reads and writes the cursors of lists.
//
// A cursor names the last row that its page gave, by the columns that the list
// is ordered by, and the list itself with its filters: it means nothing to
// another list. It is opaque, and nobody is trusted for it: a list shows what
// its caller may see wherever a cursor begins.
package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The sizes of a page.
const (
	Default = 20
	Most    = 100
)

// Page says which part of a list is asked for.
type Page struct {
	Limit int64 // rows to give, 1 … Most

	kind  digest
	after *Key
}

// Key is the place of a row in its list: the columns that the list is ordered
// by; the others stay zero.
type Key struct {
	Time   time.Time
	ID     uuid.UUID
	Number int64  // counts from 1
	Name   string // at most MaxName bytes
}

// Kind names a list together with its filters, whose values it tells apart.
func Kind(list string, filters ...any) string {
	var b strings.Builder
	b.WriteString(list)
	for _, f := range filters {
		fmt.Fprintf(&b, "\x00%q", fmt.Sprint(f))
	}
	return b.String()
}

// Of reads what a caller sent: how many rows, 20 unless it says, and where to
// begin. A cursor that is none of this list's is an invalid request.
func Of(limit *int64, cursor *string, kind string) (Page, error) {
	p := Page{Limit: Default, kind: digestOf(kind)}
	if limit != nil {
		if *limit < 1 || *limit > Most {
			return Page{}, fault.Newf(fault.Invalid, "limit must be from 1 to %d", Most)
		}
		p.Limit = *limit
	}
	if cursor != nil {
		key, kind, err := decode(*cursor)
		if err != nil {
			return Page{}, err
		}
		if kind != p.kind {
			return Page{}, fault.New(fault.Invalid, "cursor is that of another list or of other filters")
		}
		p.after = &key
	}
	return p, nil
}

// Fetch is how many rows to ask the database for: one more than the page has,
// to see whether another page follows.
func (p Page) Fetch() int32 { return int32(p.Limit) + 1 }

// Above is the key after which the page begins in a list that ascends. Without
// a cursor it is the zero Key, which is before every row.
func (p Page) Above() Key {
	if p.after == nil {
		return Key{}
	}
	return *p.after
}

// last is after every row, by time, identifier and number.
var last = Key{Time: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), ID: uuid.Max, Number: math.MaxInt64}

// Below is the key after which the page begins in a list that descends by time,
// identifier or number.
func (p Page) Below() Key {
	if p.after == nil {
		return last
	}
	return *p.after
}

// Next cuts the rows of a page's Fetch to the page, and gives the cursor of the
// page that follows, or nil behind the last one.
func Next[T any](p Page, rows []T, key func(T) Key) ([]T, *string) {
	if int64(len(rows)) <= p.Limit {
		return rows, nil
	}
	rows = rows[:p.Limit]
	cursor := encode(p.kind, key(rows[len(rows)-1]))
	return rows, &cursor
}
