package edge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	tokens "github.com/pharos-mcp/pharos/edge/token"
)

const (
	brokerIssuer  = "https://agents.example.org"
	gatewayIssuer = "https://agents.example.org/gateway"
	resource      = "https://agents.example.org/mcp"
)

// keyFiles writes the two files of a key that grows from one byte.
func keyFiles(t *testing.T, seed byte) (private, enrolment string) {
	t.Helper()
	secret, public, err := tokens.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	private, enrolment = filepath.Join(t.TempDir(), "private.json"), filepath.Join(t.TempDir(), "keys.json")
	for name, text := range map[string][]byte{private: secret, enrolment: public} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return private, enrolment
}

func signerOf(t *testing.T, file string) *tokens.Signer {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := tokens.ParseSigner(text)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// guarded is an edge that takes a broker's tokens, over an API that takes the
// edge's assertions and keeps them.
type guarded struct {
	*bench
	broker *tokens.Signer

	mu         sync.Mutex
	assertions []tokens.Assertion
	refuse     bool // the API answers 401
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	brokerFile, brokerKeys := keyFiles(t, 1)
	gatewayFile, _ := keyFiles(t, 2)
	g := &guarded{bench: &bench{log: &lockedBuffer{}}, broker: signerOf(t, brokerFile)}
	trust := tokens.Trust{Keys: signerOf(t, gatewayFile).Keys(), Issuer: gatewayIssuer, Audience: tokens.AudienceAssertion}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		a, err := trust.Assertion(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		if err != nil {
			t.Errorf("the API got %q: %v", r.Header.Get("Authorization"), err)
		}
		g.assertions = append(g.assertions, a)
		w.Header().Set("Content-Type", "application/json")
		if g.refuse {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"id":"x"}`)
	}))
	t.Cleanup(api.Close)
	s, err := edge.New(edge.Config{
		Authentication: edge.Authentication{Mode: "oauth", Broker: edge.Broker{Issuer: brokerIssuer, KeysFile: brokerKeys, Resource: resource}},
		Upstreams: map[string]edge.Upstream{"shop": {
			URL: api.URL, Assertion: edge.Assertion{Issuer: gatewayIssuer, KeyFile: gatewayFile},
		}},
		Admission: edge.Admission{CallsPerMinute: -1},
	}, shop(), edge.Options{Log: g.logger(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	g.url = server.URL + "/mcp"
	return g
}

// access is an access token for scopes that lives for a time.
func (g *guarded) access(t *testing.T, lives time.Duration, scopes ...string) string {
	t.Helper()
	now := time.Now()
	compact, err := g.broker.Access(tokens.Access{
		Claims: tokens.Claims{
			Issuer: brokerIssuer, Audience: resource, Subject: "p-1", ID: "j-1", IssuedAt: now, Expires: now.Add(lives),
			Identity: tokens.Identity{Issuer: "https://id.example.org", Subject: "s-1", VopersonID: "V1"},
		},
		Authority: tokens.Authority{Party: "p-1", AuthVersion: 7, Scopes: scopes}, ClientID: "client-1",
	})
	if err != nil {
		t.Fatal(err)
	}
	return compact
}

const metadataURL = "https://agents.example.org/.well-known/oauth-protected-resource/mcp"

// TestOAuth calls with the tokens of a broker: what is shown and done depends
// on the scopes of each request's own token, and the API gets an assertion for
// that one operation, never the token (G01, G02, G06, F01).
//
// clause: E-21, E-22, E-23, E-34, E-56
func TestOAuth(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t)
			g.token = g.access(t, 10*time.Second, "shop:read")
			session := g.connect(t, era)
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 4 {
				t.Fatalf("%d tools, error %v", len(list.Tools), err)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
				Name: "get_item", Arguments: json.RawMessage(`{"path":{"id":"x"}}`),
			})
			if err != nil || result.IsError {
				t.Fatalf("get_item: %+v, error %v", result, err)
			}
			g.mu.Lock()
			a := g.assertions[0]
			g.mu.Unlock()
			if a.OperationID != "getItem" || a.Party != "p-1" || a.AuthVersion != 7 || a.ID == "j-1" || a.Identity.VopersonID != "V1" ||
				strings.Join(a.Scopes, " ") != "shop:read" {
				t.Errorf("the assertion says %+v", a)
			}
			if lives := time.Until(a.Expires); lives > 10*time.Second {
				t.Errorf("the assertion outlives the token: %s", lives)
			}
		})
	}
}

// TestChallenges reads what callers are told without a token, with a bad one,
// without the scope, and with one that the API does not know any more.
//
// clause: E-21, E-25, E-34
func TestChallenges(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	const all = `scope="notes:read shop:read shop:write", resource_metadata="` + metadataURL + `"`
	read := func() string { return g.access(t, time.Minute, "shop:read") }
	for name, c := range map[string]struct {
		header []string
		tool   string
		status int
		want   string
	}{
		"no token":              {nil, "get_item", 401, `Bearer ` + all},
		"an empty token":        {[]string{"Bearer "}, "get_item", 401, `Bearer error="invalid_token", ` + all},
		"another scheme":        {[]string{"Basic YTpi"}, "get_item", 401, `Bearer error="invalid_token", ` + all},
		"not a token":           {[]string{"Bearer x.y.z"}, "get_item", 401, `Bearer error="invalid_token", ` + all},
		"two tokens":            {[]string{"Bearer " + read(), "Bearer " + read()}, "get_item", 401, `Bearer error="invalid_token", ` + all},
		"a refresh token":       {[]string{"Bearer pharos_refresh_x"}, "get_item", 401, `Bearer error="invalid_token", ` + all},
		"another letter case":   {[]string{"bearer " + read()}, "get_item", 200, ""},
		"without the scope":     {[]string{"Bearer " + read()}, "delete_item", 403, `Bearer error="insufficient_scope", scope="shop:read shop:write", resource_metadata="` + metadataURL + `"`},
		"a tool that is not":    {[]string{"Bearer " + read()}, "no_item", 200, ""},
		"an assertion of ours":  {[]string{"Bearer " + g.anAssertion(t)}, "get_item", 401, `Bearer error="invalid_token", ` + all},
		"an expired token soon": {[]string{"Bearer " + g.expired(t)}, "get_item", 401, `Bearer error="invalid_token", ` + all},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.callWith(t, c.header, c.tool)
			if got := a.Header.Get("WWW-Authenticate"); a.Status != c.status || got != c.want {
				t.Errorf("status %d, challenge %s\nwant %d, %s", a.Status, got, c.status, c.want)
			}
		})
	}
}

// callWith calls a tool with the given Authorization headers.
func (g *guarded) callWith(t *testing.T, authorization []string, name string) answer {
	t.Helper()
	header := http.Header{}
	header["Authorization"] = authorization
	return g.post(t, "2025-11-25", fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{"path":{"id":"x"}}}}`, name), header)
}

// anAssertion is what a gateway would sign, by the broker's key.
func (g *guarded) anAssertion(t *testing.T) string {
	t.Helper()
	now := time.Now()
	compact, err := g.broker.Login(tokens.Login{Claims: tokens.Claims{
		Issuer: brokerIssuer, Audience: tokens.AudienceLogin, Subject: "s", ID: "j", IssuedAt: now, Expires: now.Add(30 * time.Second),
		Identity: tokens.Identity{Issuer: "i", Subject: "s", VopersonID: "v"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return compact
}

// expired is a token that ended a second ago.
func (g *guarded) expired(t *testing.T) string {
	t.Helper()
	now := time.Now().Add(-11 * time.Second)
	compact, err := g.broker.Access(tokens.Access{
		Claims: tokens.Claims{
			Issuer: brokerIssuer, Audience: resource, Subject: "p-1", ID: "j-1", IssuedAt: now, Expires: now.Add(10 * time.Second),
			Identity: tokens.Identity{Issuer: "i", Subject: "s", VopersonID: "v"},
		},
		Authority: tokens.Authority{Party: "p-1", AuthVersion: 7, Scopes: []string{"shop:read"}}, ClientID: "client-1",
	})
	if err != nil {
		t.Fatal(err)
	}
	return compact
}

// TestDisowned hands on that the API does not know a caller's authority any
// more: the client must get another token (F14).
//
// clause: E-23, E-34
func TestDisowned(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		g := newGuarded(t)
		g.refuse = true
		header := http.Header{"Authorization": {"Bearer " + g.access(t, time.Minute, "shop:read")}}
		message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":{"path":{"id":"x"}}`
		if era == "2026-07-28" {
			header.Set("Mcp-Method", "tools/call")
			header.Set("Mcp-Name", "get_item")
			message += `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
		}
		for range 2 { // by the SDK and by ourselves
			a := g.post(t, era, message+`}}`, header.Clone())
			challenge := a.Header.Get("WWW-Authenticate")
			if a.Status != 401 || !strings.HasPrefix(challenge, `Bearer error="invalid_token"`) || a.Error == nil || string(a.ID) != "1" {
				t.Errorf("%s: status %d, challenge %s: %s", era, a.Status, challenge, a.Body)
			}
		}
	}
}

// TestResourceMetadata reads RFC 9728's document, which says what is
// configured, whatever the request says of its host (D01).
//
// clause: E-30
func TestResourceMetadata(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(g.url, "/mcp")+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "evil.example.org"
		r.Header.Set("X-Forwarded-Host", "evil.example.org")
		r.Header.Set("Origin", "https://inspector.example.org")
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		var got struct {
			Resource string   `json:"resource"`
			Servers  []string `json:"authorization_servers"`
			Scopes   []string `json:"scopes_supported"`
			Methods  []string `json:"bearer_methods_supported"`
		}
		if err := json.NewDecoder(reply.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.Resource != resource || len(got.Servers) != 1 || got.Servers[0] != brokerIssuer || len(got.Scopes) != 3 ||
			len(got.Methods) != 1 || reply.Header.Get("Content-Type") != "application/json" ||
			reply.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %+v, %v", path, got, reply.Header)
		}
	}
}

// TestOAuthConfig finds every mistake at once, before anything listens.
//
// clause: E-25
func TestOAuthConfig(t *testing.T) {
	t.Parallel()
	private, keys := keyFiles(t, 1)
	other, _ := keyFiles(t, 2)
	right := edge.Broker{Issuer: brokerIssuer, KeysFile: keys, Resource: resource}
	for name, c := range map[string]struct {
		authentication edge.Authentication
		upstream       edge.Upstream
		want           []string
	}{
		"right": {edge.Authentication{Mode: "oauth", Broker: right}, edge.Upstream{Assertion: edge.Assertion{Issuer: "g", KeyFile: other}}, nil},
		"nothing": {edge.Authentication{Mode: "oauth"}, edge.Upstream{}, []string{
			"authentication.broker.issuer: is needed", "authentication.broker.keys_file: is needed", "authentication.broker.resource: is needed"}},
		"a file that is not there, beside what is missing": {edge.Authentication{Mode: "oauth", Broker: edge.Broker{Issuer: "b", KeysFile: "none"}}, edge.Upstream{}, []string{
			"authentication.broker.resource: is needed", "authentication.broker: keys_file: stat none"}},
		"the key of the broker": {edge.Authentication{Mode: "oauth", Broker: right}, edge.Upstream{Assertion: edge.Assertion{Issuer: "g", KeyFile: private}}, []string{
			"upstreams.shop.assertion.key_file: the gateway's key"}},
		"a private key enrolled": {edge.Authentication{Mode: "oauth", Broker: edge.Broker{Issuer: "b", KeysFile: private, Resource: resource}}, edge.Upstream{}, []string{
			"authentication.broker: keys_file: enrolled keys"}},
		"a resource without a path": {edge.Authentication{Mode: "oauth", Broker: edge.Broker{Issuer: "b", KeysFile: keys, Resource: "https://a.example.org/"}}, edge.Upstream{}, []string{
			"authentication.broker: the resource"}},
		"an assertion of nobody": {edge.Authentication{}, edge.Upstream{Assertion: edge.Assertion{Issuer: "g", KeyFile: other}}, []string{
			"upstreams.shop.assertion: needs callers whom a broker vouches for"}},
		"half an assertion": {edge.Authentication{Mode: "oauth", Broker: right}, edge.Upstream{Assertion: edge.Assertion{Issuer: "g"}}, []string{
			"upstreams.shop.assertion.key_file: is needed"}},
		"a broker in mode token": {edge.Authentication{Broker: right}, edge.Upstream{}, []string{"authentication.broker: is for mode oauth"}},
		"both": {edge.Authentication{Mode: "oauth", Broker: right}, edge.Upstream{
			Assertion: edge.Assertion{Issuer: "g", KeyFile: other}, Credentials: map[string]string{"header": other}}, []string{
			"upstreams.shop.credentials: an API that takes assertions takes nothing else"}},
	} {
		c.upstream.URL = "http://127.0.0.1:1"
		_, err := edge.New(edge.Config{Authentication: c.authentication, Upstreams: map[string]edge.Upstream{"shop": c.upstream}}, shop(), edge.Options{})
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: error %v", name, err)
		}
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
	}
}
