package broker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/services/broker"
)

// right is a configuration without a mistake.
func right() broker.Config {
	return broker.Config{
		Issuer: "https://broker.example.org", Resource: "https://broker.example.org/mcp", Signer: &token.Signer{},
		Scopes:   broker.Scopes{Member: []string{"runs:read"}, Operator: []string{"support:admin"}},
		Upstream: broker.Upstream{Issuer: "https://login.example.org/realm", ClientID: "broker"},
		Identity: "http://127.0.0.1:8081/internal/mcp/identity", Platform: "https://platform.example.org/login", Schemes: []string{"cursor"},
		Clients: []broker.Client{{ID: "c", Redirects: []string{"cursor://x/cb"}}},
	}
}

// Check finds each mistake, and all of them at once.
//
// clause: E-30, E-31
func TestCheck(t *testing.T) {
	t.Parallel()
	if got := right().Check(); len(got) != 0 {
		t.Fatalf("a right configuration: %q", got)
	}
	all := right()
	var wants []string
	for want, change := range map[string]func(*broker.Config){
		`issuer "https://broker.example.org/":`:                     func(c *broker.Config) { c.Issuer += "/" },
		`resource "https://broker.example.org/": must have a path`:  func(c *broker.Config) { c.Resource = "https://broker.example.org/" },
		`upstream issuer "http://login.example.org": must be https`: func(c *broker.Config) { c.Upstream.Issuer = "http://login.example.org" },
		`upstream client id:`:                                       func(c *broker.Config) { c.Upstream.ClientID = "" },
		`identity "http://10.0.0.1/x":`:                             func(c *broker.Config) { c.Identity = "http://10.0.0.1/x" },
		`scopes: "Runs": must be OWNER:read`:                        func(c *broker.Config) { c.Scopes.Member = []string{"runs:read", "Runs", "support:admin"} },
		`scopes: "support:admin": stands twice`:                     func(c *broker.Config) { c.Scopes.Member = []string{"runs:read", "Runs", "support:admin"} },
		`client "c": redirect URI "http://x/cb":`:                   func(c *broker.Config) { c.Clients = []broker.Client{{ID: "c", Redirects: []string{"http://x/cb"}}} },
		`scheme "javascript":`:                                      func(c *broker.Config) { c.Schemes = []string{"javascript"} },
		`signing key:`:                                              func(c *broker.Config) { c.Signer = nil },
	} {
		c := right()
		change(&c)
		change(&all)
		wants = append(wants, want)
		if got := strings.Join(c.Check(), "\n"); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	_, err := broker.New(all, nil, broker.Options{})
	for _, want := range wants {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("all at once lack %q:\n%v", want, err)
		}
	}
	for name, change := range map[string]func(*broker.Config){
		"issuer with a path":         func(c *broker.Config) { c.Issuer += "/x" },
		"issuer in upper case":       func(c *broker.Config) { c.Issuer = "https://Broker.example.org" },
		"issuer without a host":      func(c *broker.Config) { c.Issuer = "https://" },
		"issuer with a query":        func(c *broker.Config) { c.Issuer += "?" },
		"loopback, not development":  func(c *broker.Config) { c.Issuer = "http://127.0.0.1:8080" },
		"provider on loopback":       func(c *broker.Config) { c.Upstream.Issuer = "http://127.0.0.1:8084" },
		"resource with a slash":      func(c *broker.Config) { c.Resource += "/" },
		"no scopes":                  func(c *broker.Config) { c.Scopes.Member = nil },
		"client without redirects":   func(c *broker.Config) { c.Clients = []broker.Client{{ID: "c"}} },
		"client id with white":       func(c *broker.Config) { c.Clients[0].ID = "c " },
		"a client twice":             func(c *broker.Config) { c.Clients = append(c.Clients, c.Clients[0]) },
		"no platform":                func(c *broker.Config) { c.Platform = "" },
		"platform without a scheme":  func(c *broker.Config) { c.Platform = "platform.example.org" },
		"platform is a script":       func(c *broker.Config) { c.Platform = "javascript://localhost/%0aalert(1)" },
		"identity of another scheme": func(c *broker.Config) { c.Identity = "ftp://127.0.0.1/internal/mcp/identity" },
		"scheme of nothing":          func(c *broker.Config) { c.Schemes = append(c.Schemes, "") },
		"scheme in upper case":       func(c *broker.Config) { c.Schemes = append(c.Schemes, "Code") },
		"scheme with a colon":        func(c *broker.Config) { c.Schemes = append(c.Schemes, "code://") },
		"scheme of everybody's":      func(c *broker.Config) { c.Schemes = append(c.Schemes, "intent") },
		"development for others":     func(c *broker.Config) { c.Development = true },
		"client id too long":         func(c *broker.Config) { c.Clients[0].ID = strings.Repeat("c", 513) },
	} {
		c := right()
		change(&c)
		if len(c.Check()) != 1 {
			t.Errorf("%s: %q, want one problem", name, c.Check())
		}
	}
	development := right()
	development.Development = true
	development.Issuer, development.Resource = "http://127.0.0.1:8080", "http://127.0.0.1:8080/mcp"
	development.Upstream.Issuer, development.Clients[0].ID = "http://127.0.0.1:8084", strings.Repeat("c", 512)
	if got := development.Check(); len(got) != 0 {
		t.Errorf("development on loopback: %q", got)
	}
	development.Upstream.Issuer = "http://login.example.org"
	if got := development.Check(); len(got) != 1 {
		t.Errorf("development elsewhere: %q", got)
	}
}
