package broker

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// challengeForm is an S256 challenge (RFC 7636, 4.2): 32 bytes in base64url.
var challengeForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// asked is a client's request for a grant (RFC 6749, 4.1.1), judged.
type asked struct {
	client    Client
	redirect  string
	state     string
	challenge string
	scopes    []string
}

// authorize takes a client's request and asks the person about it. Until the
// client and its redirect URI are known, an error is for the person to read;
// afterwards it goes back to the client.
func (b *Broker) authorize(w http.ResponseWriter, r *http.Request) {
	q, err := authorizationParameters(r)
	if err != nil {
		b.page(w, http.StatusBadRequest, badRequestPage(err.Error()))
		return
	}
	address := b.config.addressOf(r)
	client, err := b.client(r.Context(), q.Get("client_id"), address)
	if err != nil {
		b.clientPage(w, r, err)
		return
	}
	redirect := q.Get("redirect_uri")
	if redirect == "" && len(client.Redirects) == 1 {
		redirect = client.Redirects[0]
	}
	if !client.mayReturnTo(redirect) {
		b.page(w, http.StatusBadRequest, badRequestPage("the address to return to is not one that this client registered"))
		return
	}
	a := asked{client: client, redirect: redirect, state: q.Get("state"), challenge: q.Get("code_challenge")}
	if code, description := b.judge(q, &a); code != "" {
		b.back(w, r, a.redirect, url.Values{"error": {code}, "error_description": {description}, "state": {a.state}})
		return
	}
	handle, binding := newSecret(prefixHandle), newSecret(prefixBinding)
	if err := b.store.ask(r.Context(), a, handle, binding, address, b.now()); err != nil {
		b.unaskedPage(w, r, err)
		return
	}
	b.setBinding(w, handle, binding)
	b.page(w, http.StatusOK, b.consentPage(a, handle))
}

// authorizationParameters reads the request out of the query or, posted, out
// of the body.
func authorizationParameters(r *http.Request) (url.Values, error) {
	if r.Method == http.MethodPost {
		return form(r)
	}
	return query(r)
}

// judge reads what the client wants and returns the error code and description
// for it, or "".
func (b *Broker) judge(q url.Values, a *asked) (code, description string) {
	switch {
	case q.Has("request"):
		return "request_not_supported", "request objects are not supported"
	case q.Has("request_uri"):
		return "request_uri_not_supported", "request objects are not supported"
	case q.Get("response_type") != "code":
		return "unsupported_response_type", "response_type must be code"
	case q.Get("response_mode") != "" && q.Get("response_mode") != "query":
		return "invalid_request", "response_mode must be query"
	case q.Get("code_challenge_method") != "S256":
		return "invalid_request", "code_challenge_method must be S256"
	case !challengeForm.MatchString(a.challenge):
		return "invalid_request", "code_challenge must be 43 characters of base64url"
	case strings.Contains(" "+q.Get("prompt")+" ", " none "):
		return "interaction_required", "consent is always asked for"
	case q.Has("resource") && q.Get("resource") != b.config.Resource:
		return "invalid_target", "resource must be " + b.config.Resource
	}
	var err error
	if a.scopes, err = b.config.Scopes.parse(q.Get("scope"), b.config.Scopes.Member); err != nil {
		return "invalid_scope", err.Error()
	}
	return "", ""
}

// back sends the browser to the client with an answer, which says who gives it
// (RFC 9207).
func (b *Broker) back(w http.ResponseWriter, r *http.Request, redirect string, answer url.Values) {
	if answer.Get("state") == "" {
		answer.Del("state")
	}
	answer.Set("iss", b.config.Issuer)
	mark := "?"
	if strings.Contains(redirect, "?") {
		mark = "&"
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", redirect+mark+answer.Encode())
	w.WriteHeader(http.StatusSeeOther)
}
