// Package fault is the error that a caller may see: a code for programs and a
// message for people.
//
// Every other error is internal. It is logged once where the request came in
// and shown as "internal", so that nothing a service wraps (host names, SQL,
// file paths) can leave it by accident.
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Code names the kind of a fault. Codes are part of an API: they are declared
// in its documents and stay as they are.
type Code string

// The codes of faults.
const (
	Invalid         Code = "invalid_request"   // what was sent breaks a rule of its own
	Unauthenticated Code = "unauthenticated"   // nobody is known by what was shown, or nothing was
	Forbidden       Code = "forbidden"         // who calls may not do this
	SetupRequired   Code = "setup_required"    // who calls must first complete something else
	NotFound        Code = "not_found"         // it does not exist, or not for this caller
	Conflict        Code = "conflict"          // it exists, in a state that refuses this
	Exists          Code = "already_exists"    // the identifier is taken
	Unprocessable   Code = "unprocessable"     // it is well-formed, and what it says cannot be
	TooMany         Code = "too_many_requests" // more than a bound allows; nothing was done
	Unavailable     Code = "unavailable"       // a dependency is missing; nothing was done, unless the message leaves it open
	Timeout         Code = "timeout"           // it did not end in its time; the message says what that leaves open
	Internal        Code = "internal"          // our mistake; the details are in the log
)

// statuses maps each code to its HTTP status, in this one place.
var statuses = map[Code]int{
	Invalid:         http.StatusBadRequest,
	Unauthenticated: http.StatusUnauthorized,
	Forbidden:       http.StatusForbidden,
	SetupRequired:   http.StatusForbidden,
	NotFound:        http.StatusNotFound,
	Conflict:        http.StatusConflict,
	Exists:          http.StatusConflict,
	Unprocessable:   http.StatusUnprocessableEntity,
	TooMany:         http.StatusTooManyRequests,
	Unavailable:     http.StatusServiceUnavailable,
	Timeout:         http.StatusGatewayTimeout,
	Internal:        http.StatusInternalServerError,
}

// Fault is an error for the caller.
type Fault struct {
	Code    Code
	Message string // lower case, no full stop, nothing the caller did not send
	// RetryAfter is when the same request may succeed; 0 where that is not known.
	RetryAfter time.Duration
}

// New makes a fault.
func New(code Code, message string) *Fault { return &Fault{Code: code, Message: message} }

// Newf makes a fault with a formatted message.
func Newf(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error gives the message.
func (f *Fault) Error() string { return f.Message }

// Seconds is RetryAfter as a Retry-After header says it: whole, rounded up, at
// least one.
func (f *Fault) Seconds() int { return int(max(1, (f.RetryAfter+time.Second-1)/time.Second)) }

// Status is the HTTP status of the code; a code that is not listed here counts
// as internal.
func (c Code) Status() int {
	if status, ok := statuses[c]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Codes lists every code, sorted.
func Codes() []Code {
	codes := make([]Code, 0, len(statuses))
	for code := range statuses {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// From turns any error into what the caller sees: the fault inside it, else an
// internal one that tells nothing. It returns nil for nil.
func From(err error) *Fault {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return New(Internal, "internal error")
}

// CodeOf is the code of From, or "" for nil.
func CodeOf(err error) Code {
	if f := From(err); f != nil {
		return f.Code
	}
	return ""
}
