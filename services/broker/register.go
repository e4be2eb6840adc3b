package broker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// The bounds of registration (RFC 7591).
const (
	registeredPrefix = "pharos_client_"
	maxName          = 100 // characters
	registrationTime = time.Hour
	maxRegistrations = 60     // of one address in registrationTime
	maxUnused        = 20_000 // clients that nobody has used yet
	unusedTime       = 24 * time.Hour
)

// registration is what of a client's metadata (RFC 7591, section 2) means
// something here. Everything else is ignored and never fetched.
type registration struct {
	Redirects     []string `json:"redirect_uris"`
	Name          *string  `json:"client_name"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
}

// registered is the answer: what the client is here. Every member has a value.
type registered struct {
	ID             string   `json:"client_id"`
	IssuedAt       int64    `json:"client_id_issued_at"`
	Name           string   `json:"client_name"`
	Redirects      []string `json:"redirect_uris"`
	GrantTypes     []string `json:"grant_types"`
	ResponseTypes  []string `json:"response_types"`
	Authentication string   `json:"token_endpoint_auth_method"`
}

// register lets a client register itself: always a public one, with the grants
// that there are, whatever else it asked for.
func (b *Broker) register(w http.ResponseWriter, r *http.Request) {
	asked, err := readRegistration(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_client_metadata", err.Error())
		return
	}
	if err := checkRedirects(asked.Redirects, b.config.Schemes); err != nil {
		refuse(w, http.StatusBadRequest, "invalid_redirect_uri", err.Error())
		return
	}
	now := b.now()
	c := Client{ID: newSecret(registeredPrefix), Redirects: asked.Redirects}
	if asked.Name != nil {
		c.Name = *asked.Name
	}
	c.Name = called(c.Name, "unnamed client")
	err = b.store.register(r.Context(), c, b.config.addressOf(r), now)
	full, isFull := errors.AsType[fullError](err)
	switch {
	case isFull:
		w.Header().Set("Retry-After", full.seconds())
		refuse(w, full.status(), "temporarily_unavailable", "too many registrations "+full.whose()+"; wait")
	case err != nil:
		b.unavailable(w, r, err)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(registered{
			ID: c.ID, IssuedAt: now.Unix(), Name: c.Name, Redirects: c.Redirects,
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, Authentication: "none",
		})
	}
}

func readRegistration(r *http.Request) (registration, error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return registration{}, errors.New("the body must be application/json")
	}
	body, err := io.ReadAll(r.Body) // which has arrived
	if err != nil {
		return registration{}, err
	}
	var asked registration
	if err := strictjson.Known(body, &asked); err != nil {
		return registration{}, fmt.Errorf("client metadata: %w", err)
	}
	if len(asked.GrantTypes) > 0 && !slices.Contains(asked.GrantTypes, "authorization_code") {
		return registration{}, errors.New("grant_types must have authorization_code, the only way in")
	}
	if len(asked.ResponseTypes) > 0 && !slices.Contains(asked.ResponseTypes, "code") {
		return registration{}, errors.New("response_types must have code, the only one there is")
	}
	return asked, nil
}
