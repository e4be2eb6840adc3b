// Package admission says whether a request may be served now: bounds on the
// requests of one key and of all keys at a time, and on how many of one key
// begin within a window that slides.
//
// There are two implementations with the same promises. Memory is for one
// process, Redis for several that share their bounds. Both decide in one step
// that no other decision can come between, so that a bound is never exceeded;
// both keep the exact times of admission, so that no window of any position
// holds more than the rate; and neither counts what it refuses, so that a caller
// who comes back early still gets in when its time has come.
package admission

import (
	"context"
	"fmt"
	"time"
)

// Limits are the bounds. A bound that is zero or less does not exist.
type Limits struct {
	// Rate is how many requests of one key may begin within any Window.
	Rate int
	// Window is the length over which Rate counts; zero is a minute.
	Window time.Duration
	// Key and All are how many requests of one key, and of all keys, are served
	// at the same time.
	Key, All int
	// Lease is how long a request counts as served when nobody says that it has
	// ended, because its process is gone. A holder must have ended by then. Zero
	// is five minutes.
	Lease time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.Window <= 0 {
		l.Window = time.Minute
	}
	if l.Lease <= 0 {
		l.Lease = 5 * time.Minute
	}
	return l
}

// Admission admits requests. It is safe for concurrent use.
type Admission interface {
	// Admit lets one request of the key in, or says why not: *Refused where a
	// bound is reached, *Outage where that cannot be found out, or the error of
	// a context that is over. A request that is let in holds its place until
	// release is called; calling it again does nothing.
	Admit(ctx context.Context, key string) (release func(), err error)
}

// Bound names a limit.
type Bound string

// The bounds that can refuse a request.
const (
	Rate Bound = "rate" // requests of the key within the window
	Key  Bound = "key"  // requests of the key at the same time
	All  Bound = "all"  // requests of all keys at the same time
	Room Bound = "room" // what a process remembers of its callers
)

// Refused is a request over a bound.
type Refused struct {
	Bound Bound
	// After is when it is worth trying again. For Rate that is the moment at
	// which a place is free, for the others a guess.
	After time.Duration
}

// Error names the bound.
func (r *Refused) Error() string { return fmt.Sprintf("admission: over the bound %q", string(r.Bound)) }

// Seconds is After as a Retry-After header says it: whole, rounded up, at least
// one.
func (r *Refused) Seconds() int { return int(max(1, (r.After+time.Second-1)/time.Second)) }

// Outage is a request that nobody can decide on. It must not be served: a bound
// that gives way when its keeper fails is none.
type Outage struct{ Err error }

// Error gives the cause.
func (o *Outage) Error() string { return "admission: " + o.Err.Error() }

// Unwrap gives the cause.
func (o *Outage) Unwrap() error { return o.Err }

// soon is the guess for a place that another request will leave.
const soon = time.Second
