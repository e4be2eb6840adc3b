package broker

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// errSpent is a refresh token that gives nothing any more, nor does its family.
var errSpent = errors.New("the refresh token is not this client's, used, revoked or too old")

// refresh gives a grant's next access token. The platform is asked first who
// the person is now, so that its failure uses nothing up.
func (b *Broker) refresh(w http.ResponseWriter, r *http.Request, f url.Values) {
	ctx, secret := r.Context(), f.Get("refresh_token")
	if secret == "" {
		refuse(w, http.StatusBadRequest, "invalid_request", "refresh_token is missing")
		return
	}
	t, g, err := b.refreshable(ctx, secret, f.Get("client_id"))
	if err != nil {
		b.refuseRefresh(w, r, err)
		return
	}
	now, err := b.identity.resolve(ctx, g.identity)
	if _, changed := errors.AsType[unsettled](err); changed || err == nil && !now.same(g.party) {
		err = b.end(ctx, g, "the person's authority changed")
	}
	if err != nil {
		b.refuseRefresh(w, r, err)
		return
	}
	asked, err := b.config.Scopes.parse(f.Get("scope"), g.scopes)
	if err != nil || !within(asked, g.scopes) {
		refuse(w, http.StatusBadRequest, "invalid_scope", "scope must be a part of what was granted; authorize again for more")
		return
	}
	scopes := b.config.Scopes.permitted(asked, g.operator && now.Operator)
	if len(scopes) == 0 {
		refuse(w, http.StatusBadRequest, "invalid_scope", "nothing of this scope is granted any more; authorize again")
		return
	}
	successor, err := b.successor(ctx, secret, t, g)
	if err != nil {
		b.refuseRefresh(w, r, err)
		return
	}
	b.issue(w, r, g, scopes, successor)
}

// refreshable gives a token with its grant while it may be used: the present
// one of its family, or the one before within the window of grace and while
// nobody has used its successor. Any other use ends the family.
func (b *Broker) refreshable(ctx context.Context, secret, clientID string) (refreshToken, grant, error) {
	t, g, err := b.store.refreshable(ctx, secret, b.now())
	switch {
	case errors.Is(err, errNoToken), err == nil && !b.now().Before(t.expires):
		return t, g, errSpent
	case err != nil:
		return t, g, err
	case t.clientID != clientID:
		return t, g, b.end(ctx, g, "a refresh token came from another client")
	case t.rotated != nil && (t.successorUsed || b.now().Sub(*t.rotated) >= graceTime):
		return t, g, b.end(ctx, g, "a refresh token was used again")
	}
	return t, g, nil
}

// end revokes a grant and says so.
func (b *Broker) end(ctx context.Context, g grant, because string) error {
	if err := b.store.revoke(ctx, g.id, because, b.now()); err != nil {
		return err
	}
	b.log.WarnContext(ctx, "grant revoked", "grant", g.id, "client", g.clientID, "because", because)
	return errSpent
}

// successor is the token after this one: a new one, or within the window of
// grace the same that another request was given.
func (b *Broker) successor(ctx context.Context, secret string, t refreshToken, g grant) (string, error) {
	if t.rotated == nil {
		fresh := newSecret(prefixRefresh)
		done, err := b.store.rotate(ctx, secret, t, g, fresh, b.now())
		if errors.Is(err, errNoToken) {
			return "", errSpent
		}
		if err != nil || done {
			return fresh, err
		}
		// Another request was faster; what it was given is this one's too.
		if t, _, err = b.refreshable(ctx, secret, g.clientID); err != nil {
			return "", err
		}
		if t.rotated == nil {
			return "", errSpent // it expired at this moment
		}
	}
	successor, err := unseal(secret, "successor", t.sealed)
	if err == nil && !strings.HasPrefix(successor, prefixRefresh) {
		err = errors.New("the sealed successor is no refresh token")
	}
	return successor, err
}

func (b *Broker) refuseRefresh(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, errSpent) {
		refuse(w, http.StatusBadRequest, "invalid_grant", errSpent.Error()+"; authorize again")
		return
	}
	b.unavailable(w, r, err)
}
