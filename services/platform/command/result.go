package command

import (
	"net/http"

	"github.com/google/uuid"
)

// Rejection is why a command was not applied, as the API spells it; "" means
// that it was. Each owner declares its own beside the ones that all share.
type Rejection string

// The rejections that all owners share.
const (
	NotFound      Rejection = "not_found"
	AlreadyExists Rejection = "already_exists"
	StaleRevision Rejection = "stale_revision"
	KeyReuse      Rejection = "idempotency_key_reuse"
)

// Outcome is what became of a command.
type Outcome struct {
	ID        uuid.UUID // of the aggregate; Do fills in the command's
	Version   int64     // the aggregate's revision after the command; 0 where there is none or it is not told
	Rejection Rejection
	Status    int  // of HTTP
	Pending   bool // accepted, and going on
}

// Result is an outcome and what the command made. The value is kept in the
// receipt as JSON, so that it stays the answer of the moment, however often the
// command is repeated. A rejection has the zero value.
type Result[T any] struct {
	Outcome
	Value T
}

// None is the value of a command that answers with its outcome alone.
type None = struct{}

// Applied is the result of a command that changed its aggregate (200).
func Applied[T any](version int64, value T) Result[T] {
	return Result[T]{Outcome{Version: version, Status: http.StatusOK}, value}
}

// Created is the result of a command that made its aggregate (201).
func Created[T any](version int64, value T) Result[T] {
	return Result[T]{Outcome{Version: version, Status: http.StatusCreated}, value}
}

// Accepted is the result of a command whose effect goes on (202).
func Accepted[T any](version int64, value T) Result[T] {
	return Result[T]{Outcome{Version: version, Status: http.StatusAccepted, Pending: true}, value}
}

// Rejected is the result of a command that met another state than it needs:
// the aggregate is not there (404) or not as it must be (409). The version is
// the aggregate's current one.
func Rejected[T any](version int64, reason Rejection) Result[T] {
	status := http.StatusConflict
	if reason == NotFound {
		status = http.StatusNotFound
	}
	return Result[T]{Outcome: Outcome{Version: version, Rejection: reason, Status: status}}
}

// Unfit is the result of a command that breaks a rule, whatever the state of
// its aggregate (422).
func Unfit[T any](version int64, reason Rejection) Result[T] {
	return Result[T]{Outcome: Outcome{Version: version, Rejection: reason, Status: http.StatusUnprocessableEntity}}
}
