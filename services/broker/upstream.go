package broker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// upstreamTime bounds one exchange with the provider.
const upstreamTime = 10 * time.Second

// upstream is the OpenID provider that logs people in (contract E-31).
type upstream struct {
	config Config
	now    func() time.Time
	http   *http.Client

	mu    sync.Mutex
	found *discovery // under way, or done
}

// discovery finds the provider's endpoints, for all who wait for them.
type discovery struct {
	done     chan struct{}
	provider *oidc.Provider
	auth     oauth2.AuthStyle
	err      error
}

func newUpstream(c Config, now func() time.Time) *upstream {
	return &upstream{config: c, now: now, http: &http.Client{
		Timeout:       upstreamTime,
		Transport:     limited{&http.Transport{Proxy: nil, MaxResponseHeaderBytes: 64 << 10}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// errand is what the broker must know when a browser comes back: sealed under
// the state, which only the browser brings.
type errand struct {
	Handle   string `json:"handle"`
	Verifier string `json:"verifier"`
	Nonce    string `json:"nonce"`
}

func newErrand(handle string) errand {
	return errand{Handle: handle, Verifier: oauth2.GenerateVerifier(), Nonce: newSecret("")}
}

func (e errand) text() string {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // three strings
	}
	return string(text)
}

// connect finds the provider's endpoints, and remembers them. Who comes while
// that is under way waits for the same answer; after a failure the next one
// tries again.
func (u *upstream) connect(ctx context.Context) (*discovery, error) {
	u.mu.Lock()
	if u.found == nil {
		u.found = &discovery{done: make(chan struct{})}
		go u.discover(u.found)
	}
	d := u.found
	u.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-d.done:
		return d, d.err
	}
}

func (u *upstream) discover(d *discovery) {
	defer close(d.done)
	// The provider keeps the context for fetching its keys later on.
	ctx := oidc.ClientContext(context.Background(), u.http)
	if d.provider, d.err = oidc.NewProvider(ctx, u.config.Upstream.Issuer); d.err == nil {
		d.auth, d.err = authStyle(d.provider, u.config.Upstream.ClientSecret)
	}
	if d.err != nil {
		d.err = errors.New(cut(d.err.Error(), maxReason))
		u.mu.Lock()
		u.found = nil
		u.mu.Unlock()
	}
}

// authStyle is how the broker names itself to the provider. Left to find out by
// trying, x/oauth2 would send a code twice.
func authStyle(p *oidc.Provider, secret string) (oauth2.AuthStyle, error) {
	var metadata struct {
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := p.Claims(&metadata); err != nil {
		return 0, err
	}
	// client_secret_basic is the default (Discovery 1.0, section 3).
	if secret == "" || len(metadata.Methods) > 0 && !slices.Contains(metadata.Methods, "client_secret_basic") {
		return oauth2.AuthStyleInParams, nil
	}
	return oauth2.AuthStyleInHeader, nil
}

func (u *upstream) client(d *discovery) *oauth2.Config {
	endpoint := d.provider.Endpoint()
	endpoint.AuthStyle = d.auth
	return &oauth2.Config{
		ClientID: u.config.Upstream.ClientID, ClientSecret: u.config.Upstream.ClientSecret, Endpoint: endpoint,
		RedirectURL: u.config.Issuer + "/callback", Scopes: []string{oidc.ScopeOpenID, "profile"},
	}
}

// loginURL is where the browser goes to log in.
func (u *upstream) loginURL(ctx context.Context, state string, e errand) (string, error) {
	d, err := u.connect(ctx)
	if err != nil {
		return "", err
	}
	return u.client(d).AuthCodeURL(state, oidc.Nonce(e.Nonce), oauth2.S256ChallengeOption(e.Verifier)), nil
}
