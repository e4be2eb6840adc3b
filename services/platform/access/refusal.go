package access

import (
	"errors"
	"net/http"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// Refusal is a credential that is refused. Its caller hears the fault, which is
// the same whatever is wrong; the reason is for the log and has nothing of the
// credential in it.
type Refusal struct {
	Fault  *fault.Fault
	Reason error
}

// Error gives both.
func (r *Refusal) Error() string { return r.Fault.Message + ": " + r.Reason.Error() }

// Unwrap gives the fault.
func (r *Refusal) Unwrap() error { return r.Fault }

// invalidToken refuses a bearer, with the challenge that goes with it.
func invalidToken(w http.ResponseWriter, reason error) error {
	w.Header().Set("WWW-Authenticate", challenge("invalid_token", ""))
	return &Refusal{fault.New(fault.Unauthenticated, "the bearer token is not valid"), reason}
}

// severalCredentials refuses a request that shows more than one.
func severalCredentials(w http.ResponseWriter) error {
	w.Header().Set("WWW-Authenticate", challenge("invalid_request", ""))
	return fault.New(fault.Invalid, "show one credential: a bearer token or the cookie of a session")
}

// bearerOf is the token of an Authorization header.
func bearerOf(header string) (string, error) {
	scheme, text, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", errors.New("it is of another scheme than Bearer")
	}
	return text, nil
}
