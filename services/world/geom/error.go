package geom

import "fmt"

// Error is what is wrong with a recipe.
type Error struct {
	Pointer string // JSON pointer into the recipe: "/operations/2/radius"
	Message string // what is wrong and what to do
	Budget  bool   // it is well-formed and too much
}

// Error tells where and what.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return "recipe: " + e.Message
	}
	return "recipe" + e.Pointer + ": " + e.Message
}

func invalid(at, format string, args ...any) *Error {
	return &Error{Pointer: at, Message: fmt.Sprintf(format, args...)}
}

func budget(at, format string, args ...any) *Error {
	return &Error{Pointer: at, Message: fmt.Sprintf(format, args...), Budget: true}
}
