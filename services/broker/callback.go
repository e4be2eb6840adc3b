package broker

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"

	"github.com/google/uuid"
)

// stateForm is an upstream state with the tag of its request's cookie.
var stateForm = regexp.MustCompile(`^` + prefixState + `([0-9a-f]{8})_[A-Za-z0-9_-]{43}$`)

// callback takes the browser back from the upstream provider. The state is used
// once and counts only in the browser that gave consent.
func (b *Broker) callback(w http.ResponseWriter, r *http.Request) {
	q, err := query(r)
	if err != nil {
		b.page(w, http.StatusBadRequest, badRequestPage("the login service sent what is no answer"))
		return
	}
	state := q.Get("state")
	tag := stateForm.FindStringSubmatch(state)
	if tag == nil {
		b.page(w, http.StatusBadRequest, strangerPage)
		return
	}
	returned, err := b.store.takeReturn(r.Context(), state, b.binding(r, tag[1]), b.now())
	switch {
	case errors.Is(err, errNoRequest):
		b.page(w, http.StatusBadRequest, strangerPage)
		return
	case err != nil:
		b.unavailablePage(w, r, err)
		return
	}
	var e errand
	text, err := unseal(state, "errand", returned.sealed)
	if err == nil {
		err = json.Unmarshal([]byte(text), &e)
	}
	if err != nil {
		b.unavailablePage(w, r, err)
		return
	}
	switch failure := q.Get("error"); {
	case q.Has("iss") && q.Get("iss") != b.config.Upstream.Issuer: // RFC 9207
		b.log.WarnContext(r.Context(), "login refused", "reason", "iss is another provider's")
		b.finishPage(w, r, e.Handle, http.StatusForbidden, refusedLoginPage)
	case failure == "temporarily_unavailable" || failure == "server_error":
		b.retryPage(w, r, e.Handle, "the login service does not work", errors.New("the provider says "+failure))
	case failure != "" || q.Get("code") == "":
		b.finish(w, r, e.Handle, returned.asked, url.Values{
			"error": {"access_denied"}, "error_description": {"the login was not finished"},
		})
	default:
		b.grant(w, r, q.Get("code"), e, returned.asked)
	}
}

// grant turns a login into a grant and its code.
func (b *Broker) grant(w http.ResponseWriter, r *http.Request, code string, e errand, a asked) {
	who, err := b.upstream.identity(r.Context(), code, e)
	switch {
	case errors.Is(err, errUpstreamDown):
		b.retryPage(w, r, e.Handle, "the login service does not answer", err)
		return
	case err != nil:
		b.log.WarnContext(r.Context(), "login refused", "reason", err)
		b.finishPage(w, r, e.Handle, http.StatusForbidden, refusedLoginPage)
		return
	}
	p, err := b.identity.resolve(r.Context(), who)
	var u unsettled
	switch {
	case errors.As(err, &u):
		b.finishPage(w, r, e.Handle, http.StatusForbidden, b.unsettledPage(u.code))
		return
	case err != nil:
		b.retryPage(w, r, e.Handle, "the platform does not answer", err)
		return
	}
	scopes := b.config.Scopes.permitted(a.scopes, p.Operator)
	if len(scopes) == 0 {
		b.finish(w, r, e.Handle, a, url.Values{
			"error": {"access_denied"}, "error_description": {"the person may have none of these scopes"},
		})
		return
	}
	now, fresh := b.now(), newSecret(prefixCode)
	g := grant{
		id: uuid.New(), clientID: a.client.ID, party: p, identity: who, scopes: scopes, operator: p.Operator,
		expires: now.Add(grantTime),
	}
	if err := b.store.grant(r.Context(), g, e.Handle, a, fresh, now); err != nil {
		b.retryPage(w, r, e.Handle, "the grant could not be kept", err)
		return
	}
	b.clearBinding(w, tagOf(e.Handle))
	b.back(w, r, a.redirect, url.Values{"code": {fresh}, "state": {a.state}})
}

// finish ends a request and sends the browser to the client.
func (b *Broker) finish(w http.ResponseWriter, r *http.Request, handle string, a asked, answer url.Values) {
	if err := b.store.end(r.Context(), handle); err != nil {
		b.unavailablePage(w, r, err)
		return
	}
	b.clearBinding(w, tagOf(handle))
	answer.Set("state", a.state)
	b.back(w, r, a.redirect, answer)
}

// finishPage ends a request with a page for the person.
func (b *Broker) finishPage(w http.ResponseWriter, r *http.Request, handle string, status int, p page) {
	if err := b.store.end(r.Context(), handle); err != nil {
		b.unavailablePage(w, r, err)
		return
	}
	b.clearBinding(w, tagOf(handle))
	b.page(w, status, p)
}
