package access

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/token"
)

// identityRoute is what only the broker may ask. Whatever else is private is for
// whoever reaches the listener.
const identityRoute = "POST /internal/mcp/identity"

// rememberLogin is how long a login assertion that was shown is known: longer
// than it may live from then, by more than clocks differ.
const rememberLogin = time.Minute

var errUsedBefore = errors.New("the login assertion was shown before")

type loginKey struct{}

// PrivateGate is the Gate of what is private. It knows one credential, the
// broker's login assertion, and takes each once (contract E-26, E-28).
func (s *Service) PrivateGate(next http.Handler, refuse func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if routeOf(r) == identityRoute {
			login, err := s.loginOf(w, r)
			if err != nil {
				refuse(w, r, err)
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), loginKey{}, login.Identity))
		}
		next.ServeHTTP(w, r)
	})
}

// IdentityOf is the identity that the broker asks about, or a fault where nobody
// has shown a login assertion.
func IdentityOf(ctx context.Context) (token.Identity, error) {
	if i, ok := ctx.Value(loginKey{}).(token.Identity); ok {
		return i, nil
	}
	return token.Identity{}, fault.New(fault.Unauthenticated, "show a login assertion of the broker")
}

// loginOf takes a request's login assertion, which cannot be shown again.
func (s *Service) loginOf(w http.ResponseWriter, r *http.Request) (token.Login, error) {
	headers := r.Header.Values("Authorization")
	switch len(headers) {
	case 0:
		w.Header().Set("WWW-Authenticate", challenge("", ""))
		_, err := IdentityOf(r.Context())
		return token.Login{}, err
	case 1:
	default:
		return token.Login{}, severalCredentials(w)
	}
	text, err := bearerOf(headers[0])
	if err != nil {
		return token.Login{}, invalidToken(w, err)
	}
	login, err := s.broker.Login(text)
	if err != nil {
		return token.Login{}, invalidToken(w, err)
	}
	if len(r.CookiesNamed(s.cookieName())) > 0 {
		return token.Login{}, severalCredentials(w)
	}
	first, err := useLogin(r.Context(), s.pool, login.ID, s.time())
	if err == nil && !first {
		err = invalidToken(w, errUsedBefore)
	}
	return login, err
}
