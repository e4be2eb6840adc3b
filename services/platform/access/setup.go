package access

import "context"

// Step is something that a person does before the platform can be used.
type Step string

// The steps, in their order.
const (
	Register       Step = "register"
	ChoosePassword Step = "choose_password"
	AcceptAUP      Step = "accept_aup"
)

// Setup says how far a caller has come.
type Setup struct {
	Registered bool
	Complete   bool  // no password of somebody else's choice is in use
	AUP        int64 // the version in effect, 0 without one
	Accepted   bool  // by this Party
}

// SetupOf tells how far a caller has come.
func (s *Service) SetupOf(ctx context.Context, c Caller) (Setup, error) {
	aup, err := requiredPolicy(ctx, s.pool, s.time())
	return Setup{
		Registered: c.Standing != Unregistered,
		Complete:   c.Standing != SetupPending && !(c.Standing == Unregistered && c.Temporary),
		AUP:        aup,
		Accepted:   c.AUPDue == 0,
	}, err
}

// Todo is what is left to do, in that order.
func (s Setup) Todo() []Step {
	todo := []Step{}
	if !s.Registered {
		todo = append(todo, Register)
	}
	if !s.Complete {
		todo = append(todo, ChoosePassword)
	}
	if !s.Accepted {
		todo = append(todo, AcceptAUP)
	}
	return todo
}
