package edge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// Principal is an authenticated caller.
type Principal struct {
	// Subject tells callers apart, for limits and for the log; it is no secret.
	Subject string
	// Scopes are what the caller was granted, as E-02 writes them.
	Scopes []string
	// Identity is what the authenticator knows beyond that, for whoever puts
	// authority on the upstream's requests.
	Identity any
}

// Allows reports whether the caller was granted the scope.
func (p *Principal) Allows(scope string) bool { return slices.Contains(p.Scopes, scope) }

// Authenticator tells who sends a request. It is asked for every request and
// must be safe for concurrent use.
type Authenticator interface {
	// Authenticate returns the caller, or a *Refusal, or a *fault.Fault, which
	// refuses with the status of its code. Any other error is internal: the caller
	// sees status 500 and nothing else.
	Authenticate(r *http.Request) (*Principal, error)
	// ResourceMetadata is the URL of the OAuth metadata that challenges point
	// to, or "" where there is none.
	ResourceMetadata() string
}

// Refusal is a request that is refused for what it is, before anything of it
// is looked at.
type Refusal struct {
	Status    int    // 401, 403, 429, 503 or 504
	Challenge string // value of WWW-Authenticate, or ""
	Message   string // for the caller
	Reason    error  // for the log, or nil
	// RetryAfter is when the same request may be let in. Zero, with status 429 or
	// 503, is a second.
	RetryAfter time.Duration
}

// refusalOf makes the refusal of an authenticator's error; nil is that of an
// internal one.
func refusalOf(err error, metadata string) *Refusal {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	f, ok := errors.AsType[*fault.Fault](err)
	if !ok || f.Code.Status() == http.StatusInternalServerError {
		return nil
	}
	r := &Refusal{Status: f.Code.Status(), Message: f.Message, RetryAfter: f.RetryAfter}
	if r.Status > http.StatusInternalServerError {
		r.Reason = err
	}
	if f.Code == fault.Unauthenticated {
		r.Challenge = Challenge{ResourceMetadata: metadata}.String()
	}
	return r
}

// head writes what the reply's head says of the refusal.
func (r *Refusal) head(h http.Header) {
	if r.Challenge != "" {
		h.Set("WWW-Authenticate", r.Challenge)
	}
	wait := r.RetryAfter
	if wait == 0 && (r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable) {
		wait = time.Second
	}
	if wait > 0 && h.Get("Retry-After") == "" {
		h.Set("Retry-After", seconds(wait))
	}
}

// seconds is a time as Retry-After says it: whole seconds, rounded up.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// Error gives the message.
func (r *Refusal) Error() string { return r.Message }

// Challenge is a WWW-Authenticate value of the Bearer scheme (E-34).
type Challenge struct {
	Error            string   // "invalid_token", "insufficient_scope" or "" where no token came
	Scopes           []string // what a token must have been granted
	ResourceMetadata string
}

// String renders the challenge.
func (c Challenge) String() string {
	var parameters []string
	add := func(name, value string) {
		if value != "" {
			parameters = append(parameters, fmt.Sprintf("%s=%q", name, value))
		}
	}
	add("error", c.Error)
	add("scope", strings.Join(c.Scopes, " "))
	add("resource_metadata", c.ResourceMetadata)
	if len(parameters) == 0 {
		return "Bearer"
	}
	return "Bearer " + strings.Join(parameters, ", ")
}

// stepUp is the challenge to a caller who lacks a scope: what was granted and
// what is needed, so that the new token can do all the old one could.
func stepUp(p *Principal, scope, metadata string) Challenge {
	scopes := append(slices.Clone(p.Scopes), scope)
	slices.Sort(scopes)
	return Challenge{Error: "insufficient_scope", Scopes: slices.Compact(scopes), ResourceMetadata: metadata}
}

type principalKey struct{}

// Caller returns who makes the call that a handler serves, or nil outside one.
func Caller(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}

// Bearer returns the token of a request's only Authorization header. Given says
// whether there was such a header at all.
func Bearer(r *http.Request) (token string, given bool) {
	values := r.Header.Values("Authorization")
	if len(values) == 0 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if len(values) > 1 || !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", true
	}
	return strings.TrimLeft(token, " "), true
}
