package play

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/failure"
)

// errNobody is every bearer token that stands for nobody, whatever is wrong with
// it: who tries tokens learns nothing.
var errNobody = fault.New(fault.Unauthenticated, "a valid token is needed")

// errLate is a database that is there and does not answer.
var errLate = fault.New(fault.Unavailable, "the database did not answer in time")

const (
	maxBearer  = 256             // bytes of a token
	lookupTime = 5 * time.Second // for finding out whose it is
)

// Player is the seat that the play token of a request is for. Anything else, an
// author's token among it, is the fault Unauthenticated with one text; while the
// database is out it is Unavailable.
func (s *Service) Player(r *http.Request) (assignment.Seat, error) {
	return lookUp(r, s.assignments.Seat)
}

// Author is who an author's personal token is of.
type Author struct {
	account.Account
	Key string // tells tokens apart, and says nothing of them
}

// Author is who the personal token of a request is of. Anything else, a play
// token among it, is refused as Player does.
func (s *Service) Author(r *http.Request) (Author, error) {
	a, err := lookUp(r, s.accounts.Author)
	return Author{a, keyOf(bearer(r))}, err
}

// keyOf is the beginning of the digest of a token's digest: the latter is what
// is kept, and is not shown either.
func keyOf(token string) string {
	digest := sha256.Sum256([]byte(token))
	digest = sha256.Sum256(digest[:])
	return hex.EncodeToString(digest[:6])
}

// lookUp finds whom a request's only bearer token stands for, in its time.
func lookUp[T any](r *http.Request, find func(context.Context, string) (T, error)) (found T, err error) {
	token := bearer(r)
	if token == "" {
		return found, errNobody
	}
	ctx, cancel := context.WithTimeout(r.Context(), lookupTime)
	defer cancel()
	found, err = find(ctx, token)
	switch err = failure.Shown(err); {
	case err == nil:
		return found, nil
	case fault.CodeOf(err) == fault.Unauthenticated:
		return found, errNobody
	case ctx.Err() != nil || fault.CodeOf(err) == fault.Timeout:
		return found, fmt.Errorf("%w: %w", errLate, err)
	}
	return found, err
}

// bearer is the token of a request's only Authorization header, or "".
func bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || len(token) > maxBearer {
		return ""
	}
	return token
}

type authorKey struct{}

// WithAuthor says for whom the tools of the author catalog are called.
func WithAuthor(ctx context.Context, a account.Account) context.Context {
	return context.WithValue(ctx, authorKey{}, a)
}

// authorOf is who calls a tool of the author catalog.
func authorOf(ctx context.Context) (account.Account, bool) {
	a, ok := ctx.Value(authorKey{}).(account.Account)
	return a, ok
}
