package assignment

import (
	"context"

	"github.com/google/uuid"
)

// Seat is where the bearer of a play token sits: the one assignment that it is
// for.
type Seat struct {
	AssignmentID uuid.UUID
	PlayerID     uuid.UUID
	Language     string
}

// seatKey is the seat of a context.
type seatKey struct{}

// WithSeat gives a context with a seat.
func WithSeat(ctx context.Context, s Seat) context.Context {
	return context.WithValue(ctx, seatKey{}, s)
}

// SeatOf gives the seat of a context, and whether it has one.
func SeatOf(ctx context.Context) (Seat, bool) {
	s, ok := ctx.Value(seatKey{}).(Seat)
	return s, ok
}
