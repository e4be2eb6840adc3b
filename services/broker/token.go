package broker

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/pharos-mcp/pharos/edge/token"
)

// verifierForm is a code_verifier (RFC 7636, 4.1).
var verifierForm = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)

// tokenReply is RFC 6749, 5.1.
type tokenReply struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
}

// token redeems codes and refresh tokens. What a client sends is judged, and
// the client found, before anything is used up.
func (b *Broker) token(w http.ResponseWriter, r *http.Request) {
	f, err := form(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", err.Error())
		return
	}
	if !b.knownClient(w, r, f) {
		return
	}
	if f.Has("resource") && f.Get("resource") != b.config.Resource {
		refuse(w, http.StatusBadRequest, "invalid_target", "resource must be "+b.config.Resource)
		return
	}
	switch f.Get("grant_type") {
	case "authorization_code":
		b.redeemCode(w, r, f)
	case "refresh_token":
		b.refresh(w, r, f)
	case "":
		refuse(w, http.StatusBadRequest, "invalid_request", "grant_type is missing")
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
	}
}

// knownClient sees that the request names a client, in the body and without a
// secret: all clients are public. It answers one that does not.
func (b *Broker) knownClient(w http.ResponseWriter, r *http.Request, f url.Values) bool {
	if r.Header.Get("Authorization") != "" || f.Has("client_secret") || f.Has("client_assertion") {
		w.Header().Set("WWW-Authenticate", `Basic realm="clients have no secret here"`)
		refuse(w, http.StatusUnauthorized, "invalid_client",
			"clients are public: send client_id in the body, no secret and no Authorization header")
		return false
	}
	err := b.knows(r.Context(), f.Get("client_id"))
	switch {
	case errors.Is(err, errUnknownClient):
		refuse(w, http.StatusUnauthorized, "invalid_client", "client_id is not known here; register again")
		return false
	case err != nil:
		b.unavailable(w, r, err)
		return false
	}
	return true
}

func (b *Broker) redeemCode(w http.ResponseWriter, r *http.Request, f url.Values) {
	for _, name := range []string{"code", "redirect_uri"} {
		if f.Get(name) == "" {
			refuse(w, http.StatusBadRequest, "invalid_request", name+" is missing")
			return
		}
	}
	verifier, refresh := f.Get("code_verifier"), newSecret(prefixRefresh)
	g, err := b.store.redeem(r.Context(), redemption{
		code: f.Get("code"), clientID: f.Get("client_id"), redirect: f.Get("redirect_uri"), refresh: refresh,
		matches: func(challenge string) bool {
			sum := sha256.Sum256([]byte(verifier))
			own := base64.RawURLEncoding.EncodeToString(sum[:])
			return verifierForm.MatchString(verifier) && subtle.ConstantTimeCompare([]byte(own), []byte(challenge)) == 1
		},
	}, b.now())
	switch {
	case errors.Is(err, errNoCode), errors.Is(err, errWrongVerifier):
		refuse(w, http.StatusBadRequest, "invalid_grant", "the code is not this client's, not for this redirect_uri and verifier, used or older than 60 seconds")
	case err != nil:
		b.unavailable(w, r, err)
	default:
		b.issue(w, r, g, g.scopes, refresh)
	}
}

// issue answers with an access token for some of a grant's scopes.
func (b *Broker) issue(w http.ResponseWriter, r *http.Request, g grant, scopes []string, refresh string) {
	now := b.now()
	access, err := b.config.Signer.Access(token.Access{
		Claims: token.Claims{
			Issuer: b.config.Issuer, Audience: b.config.Resource, Subject: g.party.ID, ID: rand.Text(),
			IssuedAt: now, Expires: now.Add(accessTime), Identity: g.identity,
		},
		Authority: token.Authority{Party: g.party.ID, AuthVersion: g.party.AuthVersion, Scopes: scopes},
		ClientID:  g.clientID,
	})
	if err != nil {
		b.unavailable(w, r, err)
		return
	}
	noStore(w, http.StatusOK, tokenReply{access, "Bearer", int64(accessTime.Seconds()), refresh, strings.Join(scopes, " ")})
}

// oauthError is RFC 6749, 5.2.
type oauthError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// refuse answers a program.
func refuse(w http.ResponseWriter, status int, code, description string) {
	noStore(w, status, oauthError{code, description})
}

// unavailable answers a program for which nothing was done, or nothing known to
// have been done, so that the same request may come again.
func (b *Broker) unavailable(w http.ResponseWriter, r *http.Request, err error) {
	b.log.ErrorContext(r.Context(), "request", "path", r.URL.Path, "error", err)
	w.Header().Set("Retry-After", "5")
	refuse(w, http.StatusServiceUnavailable, "temporarily_unavailable", "try the same request again in a few seconds")
}

func noStore(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
