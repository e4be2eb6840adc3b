package broker

import (
	"errors"
	"net/http"
)

// revoke ends the grant of a refresh token (RFC 7009). A token that is not
// known, or another client's, is answered alike; a failure never is.
func (b *Broker) revoke(w http.ResponseWriter, r *http.Request) {
	f, err := form(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", err.Error())
		return
	}
	if f.Get("token") == "" {
		refuse(w, http.StatusBadRequest, "invalid_request", "token is missing")
		return
	}
	if !b.knownClient(w, r, f) {
		return
	}
	t, err := b.store.refreshToken(r.Context(), f.Get("token"))
	if err == nil && t.clientID == f.Get("client_id") {
		err = b.store.revoke(r.Context(), t.grantID, "revoked by the client", b.now())
	}
	if err != nil && !errors.Is(err, errNoToken) {
		b.unavailable(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}
