package engine

import "fmt"

// Code names the kind of an error, for programs.
type Code string

// The codes of the game.
const (
	ControllerDisplaced Code = "CONTROLLER_DISPLACED"
	TickMismatch        Code = "TICK_MISMATCH"
	WrongLifecycle      Code = "WRONG_LIFECYCLE"
	UnknownScenario     Code = "UNKNOWN_SCENARIO"
	UnknownVehicle      Code = "UNKNOWN_VEHICLE"
	UnknownBuilding     Code = "UNKNOWN_BUILDING"
	OutOfBounds         Code = "OUT_OF_BOUNDS"
	SnapTooFar          Code = "SNAP_TOO_FAR"
	NoRoute             Code = "NO_ROUTE"
	InvalidArgument     Code = "INVALID_ARGUMENT"
	Internal            Code = "INTERNAL"
)

// Error is what a player did wrong. Nothing hidden is in it.
type Error struct {
	Code    Code
	Message string
}

// Error gives the message.
func (e *Error) Error() string { return e.Message }

func errorf(code Code, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}
