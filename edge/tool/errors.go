package tool

import (
	"errors"
	"fmt"
)

// ArgumentError refuses an argument that passed its schema but cannot become
// part of a request (E-11): nothing was sent. Its text is meant for the caller
// and never repeats the value.
type ArgumentError struct {
	Where   string // "path.id", "parameters.If-Match", "body.file.base64"
	Message string // lower case, e.g. "must not be empty"
}

// Error implements error.
func (e *ArgumentError) Error() string { return e.Where + ": " + e.Message }

// SendError is a call without a usable reply.
type SendError struct {
	// Sent says that the request may have reached the upstream, wholly or in
	// part: for a write, what became of it is unknown (E-19).
	Sent bool
	Err  error
}

// Error implements error.
func (e *SendError) Error() string {
	if e.Sent {
		return fmt.Sprintf("no usable reply: %v", e.Err)
	}
	return fmt.Sprintf("not sent: %v", e.Err)
}

// Unwrap returns the cause.
func (e *SendError) Unwrap() error { return e.Err }

// The causes that a SendError may have besides those of the network.
var (
	// ErrTooLarge is a reply over its bound (E-13).
	ErrTooLarge = errors.New("reply is larger than its bound")
	// ErrCoding is a reply that came, in a content coding that is not served or
	// with bytes that are none of it. One that broke off on its way is lost, and
	// has the network's error.
	ErrCoding = errors.New("reply's content coding cannot be read")
	// ErrOrigin is a request that would leave the configured base (E-54).
	ErrOrigin = errors.New("request is outside the configured base")
	// ErrLost is a connection that ended before its reply. The request is not
	// repeated (E-18).
	ErrLost = errors.New("connection was lost before the reply")
)
