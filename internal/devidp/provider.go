package devidp

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"
)

// User is somebody to be.
type User struct {
	Subject    string `json:"subject"`     // sub
	Name       string `json:"name"`        // shown in the list, claim name
	VopersonID string `json:"voperson_id"` // claim voperson_id; "" leaves it out
	Note       string `json:"note"`        // shown in the list: what comes of the choice
}

// Users are the usual cast: each ends a login in another way.
func Users() []User {
	return []User{
		{"member", "Mia Member", "V100@dev.pharos.invalid", "an ordinary member"},
		{"operator", "Omar Operator", "V101@dev.pharos.invalid", "a member with the operator's rights"},
		{"unregistered", "Uma Unregistered", "V102@dev.pharos.invalid", "nobody that the platform knows"},
		{"pending", "Paul Pending", "V103@dev.pharos.invalid", "has still to accept the present terms of use"},
		{"no-voperson", "Nora Novoperson", "", "comes without voperson_id"},
	}
}

// Options are what a provider is made from.
type Options struct {
	Issuer   string           // http://IP:PORT with a loopback IP, no path
	ClientID string           // the one client
	Redirect string           // the client's one redirect URI
	Users    []User           // nil are Users()
	Now      func() time.Time // nil is time.Now
	Fault    func() Fault     // asked at each request; nil behaves
}

// Fault makes the provider misbehave, for tests.
type Fault struct {
	Claims func(claims map[string]any) // changes an ID token's claims
	Header func(header map[string]any) // changes an ID token's header

	// Each answers in place of an endpoint, where it says that it has.
	Discovery, Keys, Token func(w http.ResponseWriter) (taken bool)
}

// Provider is the OpenID provider. It is safe for concurrent use and keeps
// everything in memory.
type Provider struct {
	Options
	key ed25519.PrivateKey

	mu    sync.Mutex
	codes map[string]login // by code
}

// login is a choice that waits for its code to be redeemed.
type login struct {
	user      User
	nonce     string
	challenge string
	expires   time.Time
}

// The bounds of what waits, and how long.
const (
	maxCodes = 1000
	codeTime = time.Minute
	tokenTTL = 5 * time.Minute
	keyID    = "devidp"
)

// New makes a provider. Its error says which option cannot be.
func New(o Options) (*Provider, error) {
	if err := checkIssuer(o.Issuer); err != nil {
		return nil, err
	}
	if o.ClientID == "" || o.Redirect == "" {
		return nil, errors.New("devidp: a client and its redirect URI are needed")
	}
	if o.Users == nil {
		o.Users = Users()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fault == nil {
		o.Fault = func() Fault { return Fault{} }
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return &Provider{Options: o, key: key, codes: map[string]login{}}, nil
}

// checkIssuer refuses what is not http on a loopback address: names can point
// anywhere.
func checkIssuer(issuer string) error {
	u, err := url.Parse(issuer)
	if err != nil {
		return fmt.Errorf("devidp: issuer: %w", err)
	}
	address, err := netip.ParseAddr(u.Hostname())
	if err != nil || !address.IsLoopback() || u.Scheme != "http" || u.Port() == "" || u.Host+u.Path != u.Host || issuer != "http://"+u.Host {
		return fmt.Errorf("devidp: issuer %q must be http://IP:PORT with a loopback address: "+
			"this provider lets anybody be anybody", issuer)
	}
	return nil
}

// ServeHTTP serves the provider's pages and endpoints.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if "http://"+r.Host != p.Issuer { // a page whose name was made to lead here
		http.Error(w, "devidp: this is "+p.Issuer, http.StatusForbidden)
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /jwks", p.jwks)
	mux.HandleFunc("GET /authorize", p.ask)
	mux.HandleFunc("POST /authorize", p.choose)
	mux.HandleFunc("POST /token", p.token)
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	mux.ServeHTTP(w, r)
}

// discovery is OpenID Connect Discovery 1.0, section 3.
func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	if fault := p.Fault(); fault.Discovery != nil && fault.Discovery(w) {
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer":                                p.Issuer,
		"authorization_endpoint":                p.Issuer + "/authorize",
		"token_endpoint":                        p.Issuer + "/token",
		"jwks_uri":                              p.Issuer + "/jwks",
		"response_types_supported":              []string{"code"},
		"subject_types_supported":               []string{"public"},
		"id_token_signing_alg_values_supported": []string{"EdDSA"},
		"token_endpoint_auth_methods_supported": []string{"none"},
		"code_challenge_methods_supported":      []string{"S256"},
		"scopes_supported":                      []string{"openid", "profile"},
		"claims_supported":                      []string{"sub", "name", "voperson_id"},
	})
}

func (p *Provider) jwks(w http.ResponseWriter, _ *http.Request) {
	if fault := p.Fault(); fault.Keys != nil && fault.Keys(w) {
		return
	}
	public := p.key.Public().(ed25519.PublicKey)
	writeJSON(w, http.StatusOK, map[string]any{"keys": []map[string]string{{
		"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": keyID,
		"x": base64.RawURLEncoding.EncodeToString(public),
	}}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
