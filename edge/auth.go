package edge

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
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
	// Authenticate returns the caller, or a *Refusal. Any other error is
	// internal: the caller sees status 500 and nothing else.
	Authenticate(r *http.Request) (*Principal, error)
	// ResourceMetadata is the URL of the OAuth metadata that challenges point
	// to, or "" where there is none.
	ResourceMetadata() string
}

// Refusal is a request that is refused for what it is, before anything of it
// is looked at.
type Refusal struct {
	Status    int    // 401, 403, 429 or 503
	Challenge string // value of WWW-Authenticate, or ""
	Message   string // for the caller
	Reason    error  // for the log, or nil
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

// bearer returns the token of a request's only Authorization header. Given says
// whether there was such a header at all.
func bearer(r *http.Request) (token string, given bool) {
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
