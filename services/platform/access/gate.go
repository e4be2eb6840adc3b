package access

import (
	"context"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// CSRFHeader carries what a page was told beside the cookie of its session.
const CSRFHeader = "X-CSRF-Token"

// diagnostics are what nobody's credential is looked at for: they answer while
// the database does not.
var diagnostics = map[string]bool{"GET /healthz": true, "GET /readyz": true, "GET /version": true}

// login needs no credential. A cookie of a session that has ended does no harm
// there; a bearer that fails does.
const login = "POST /auth/login"

// Gate finds out who sends a request before anything else of it is looked at.
// What it does not let through, refuse answers: the header with the challenge is
// set by then.
//
// A request shows one credential or none. A bearer is judged first: one that
// fails is refused, whatever stands beside it (contract E-27). A session's may
// change something only from a page of this origin that shows the session's CSRF
// token too.
func (s *Service) Gate(next http.Handler, refuse func(http.ResponseWriter, *http.Request, error)) http.Handler {
	protection := http.NewCrossOriginProtection()
	if s.origin != "" {
		_ = protection.AddTrustedOrigin(s.origin) // New has checked it
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		v, route := &visit{address: addressOf(r)}, routeOf(r)
		if !diagnostics[route] {
			if err := s.identify(w, r, protection, v, route == login); err != nil {
				refuse(w, r, err)
				return
			}
		}
		next.ServeHTTP(w, r.WithContext(withVisit(r.Context(), v)))
	})
}

// routeOf is the method and the path of a request. HEAD is a GET.
func routeOf(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet + " " + r.URL.Path
	}
	return r.Method + " " + r.URL.Path
}

// identify fills in who sends a request, which is open if it may be nobody.
func (s *Service) identify(
	w http.ResponseWriter, r *http.Request, protection *http.CrossOriginProtection, v *visit, open bool,
) error {
	bearers, cookies := r.Header.Values("Authorization"), r.CookiesNamed(s.cookieName())
	switch {
	case len(bearers) > 1 || len(bearers) == 0 && len(cookies) > 1:
		return severalCredentials(w)
	case len(bearers) == 1:
		err := s.identifyBearer(w, r, bearers[0], v)
		if err == nil && len(cookies) > 0 {
			err = severalCredentials(w)
		}
		return err
	}
	if protection.Check(r) != nil {
		return fault.New(fault.Forbidden, "the request comes from a page of another origin")
	}
	if len(cookies) == 1 {
		caller, err := s.sessionOf(r.Context(), cookies[0].Value)
		switch {
		case err == nil && !open && !showsCSRF(r, caller.Session):
			return fault.New(fault.Forbidden, "the "+CSRFHeader+" header is not that of the session")
		case err == nil:
			v.caller = &caller
			v.again = func(ctx context.Context) (Caller, error) {
				row, err := s.liveSession(ctx, cookies[0].Value)
				return row.caller, err
			}
			return nil
		case !errors.Is(err, errNobody):
			return err
		case !open:
			http.SetCookie(w, s.cookie("", endOfCookies))
		}
	}
	if open {
		return nil
	}
	w.Header().Set("WWW-Authenticate", challenge("", ""))
	if len(cookies) == 1 {
		return fault.New(fault.Unauthenticated, "the session has ended: log in again")
	}
	return fault.New(fault.Unauthenticated, "log in, or show a bearer token")
}

// identifyBearer holds a request to its bearer: a personal access token, known
// by its prefix, or else a gateway's assertion.
func (s *Service) identifyBearer(w http.ResponseWriter, r *http.Request, header string, v *visit) error {
	text, err := bearerOf(header)
	if err != nil {
		return invalidToken(w, err)
	}
	find := s.assertionOf
	again := func(ctx context.Context) (Caller, error) { return s.assertionOf(ctx, text) }
	if strings.HasPrefix(text, tokenForm.Prefix) {
		find = s.tokenOf
		again = func(ctx context.Context) (Caller, error) {
			row, err := s.liveToken(ctx, text)
			return row.caller, err
		}
	}
	caller, err := find(r.Context(), text)
	switch {
	case err == nil:
		v.caller = &caller
		v.again = again
		return nil
	case errors.Is(err, errNobody):
		return invalidToken(w, err)
	default:
		return err
	}
}

// showsCSRF reports whether a request may come from a session's own page.
func showsCSRF(r *http.Request, session *Session) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	}
	values := r.Header.Values(CSRFHeader)
	return len(values) == 1 && subtle.ConstantTimeCompare([]byte(values[0]), []byte(session.CSRF)) == 1
}

// challenge is the WWW-Authenticate header of a refusal.
func challenge(code, scope string) string {
	c := `Bearer realm="pharos"`
	if code != "" {
		c += `, error="` + code + `"`
	}
	if scope != "" {
		c += `, scope="` + scope + `"`
	}
	return c
}

// addressOf is where a request comes from: the peer of its connection. Headers
// by which a proxy could tell are the caller's own to set.
func addressOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}
