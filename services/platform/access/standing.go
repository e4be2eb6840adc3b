package access

import (
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// Standing says how far the person behind an identity has come.
type Standing string

// The standings. Only Active lets a Party do business.
const (
	Unregistered Standing = "unregistered"  // an identity without a Party
	SetupPending Standing = "setup_pending" // registered, with a password that somebody else chose
	AUPRequired  Standing = "aup_required"  // a newer policy is in effect than the Party has accepted
	Active       Standing = "active"
	Deactivated  Standing = "deactivated"
)

// The states of a Party, as it is stored.
const (
	StateSetupPending = string(SetupPending)
	StateActive       = string(Active)
	StateDeactivated  = string(Deactivated)
)

// StandingOf judges what the database says of an identity: the state of its
// Party, nil without one, and the policy that it must still accept, or 0.
func StandingOf(state *string, aupDue int64) Standing {
	switch {
	case state == nil:
		return Unregistered
	case *state == StateActive && aupDue != 0:
		return AUPRequired
	case *state == StateActive, *state == StateSetupPending:
		return Standing(*state)
	default:
		return Deactivated
	}
}

// Required is the fault of a Party that may not do business yet, nil for one
// that may.
func (s Standing) Required() error {
	switch s {
	case Active:
		return nil
	case Unregistered:
		return fault.New(fault.SetupRequired, "registration is missing: log in and complete it with POST /auth/registration")
	case SetupPending:
		return fault.New(fault.SetupRequired,
			"setup is not complete: log in and choose a password of your own with POST /auth/password")
	case AUPRequired:
		return fault.New(fault.SetupRequired,
			"a newer acceptable use policy is in effect: log in and accept it with POST /auth/aup")
	default:
		return fault.New(fault.Forbidden, "this account is deactivated")
	}
}

// Caller is whom a request comes from, whether or not they may do business.
type Caller struct {
	Identity    uuid.UUID // of a session; zero without one
	Username    string    // of a session; "" without one
	Party       uuid.UUID // zero without registration
	AuthVersion int64     // the Party's; 0 without one
	Operator    bool
	Standing    Standing
	AUPDue      int64    // the policy that must still be accepted, or 0
	Scopes      []string // of a token or an assertion; nil for a session
	Temporary   bool     // the password of a session was chosen by somebody else
	Session     *Session // nil without one
	Operation   string   // of an assertion: the only one that it is for; "" for all
}

// Principal is the caller as business operations know them.
func (c Caller) Principal() Principal {
	return Principal{Party: c.Party, Operator: c.Operator, AuthVersion: c.AuthVersion, Scopes: c.Scopes}
}
