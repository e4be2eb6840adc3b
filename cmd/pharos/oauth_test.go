package main

import (
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	catalog "github.com/pharos-mcp/pharos/generated/platform"
)

// TestGoSDK lets go-sdk's own OAuth client go all the way with a person before
// a browser, known by registration and by a metadata document.
//
// clause: E-21, E-29, E-30, E-31, E-32, E-34
func TestGoSDK(t *testing.T) {
	t.Parallel()
	id, trusted := clientDocument(t)
	a := serveMachine(t, "SSL_CERT_FILE="+trusted)
	registers, redeems := "POST /register 201", "POST /token 200"
	for name, c := range map[string]struct {
		way  way
		sent []string // to be known, and to redeem a code
	}{
		"registered, 2026": {way{era: "2026-07-28"}, []string{registers, redeems}},
		"registered, 2025": {way{era: "2025-11-25"}, []string{registers, redeems}},
		"by its document":  {way{era: "2026-07-28", id: id}, []string{"POST /token 401", redeems}}, // Basic comes first
	} {
		authorizes := slices.Concat([]string{
			"GET /.well-known/oauth-protected-resource/mcp 200", "GET /.well-known/oauth-authorization-server 200",
		}, c.sent)
		t.Run(name+"/member", func(t *testing.T) {
			t.Parallel()
			p := &person{user: "member"}
			client, err := connectGo(t, a, p, c.way)
			if err != nil {
				t.Fatal(err)
			}
			if got := client.InitializeResult().ProtocolVersion; got != c.way.era {
				t.Errorf("they speak %s", got)
			}
			sent := client.log.taken()
			want := append([]string{"POST /mcp 401"}, authorizes...)
			if d := cmp.Diff(want, sent[:min(len(want), len(sent))]); d != "" {
				t.Errorf("connecting (-want +got):\n%s", d)
			}
			member := strings.Join(scopes().Member, " ")
			if d := cmp.Diff([]string{member}, p.asked); d != "" || client.held().present().Extra("scope") != member {
				t.Errorf("granted %v, asked for (-want +got):\n%s", client.held().present().Extra("scope"), d)
			}
			if d := cmp.Diff(toolsOf(member), listed(t, client)); d != "" {
				t.Errorf("a member sees (-want +got):\n%s", d)
			}
			if got := whoAmI(t, client); !strings.Contains(got, "Mia Member") {
				t.Errorf("the API sees %s", got)
			}
			refreshes(t, client)

			// What is an operator's stays theirs, whatever was consented to.
			client.log.taken()
			result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_support_queue"})
			if err == nil {
				t.Errorf("a member lists the support queue: %v", result)
			}
			want = slices.Concat([]string{"POST /mcp 403"}, authorizes, []string{"POST /mcp 403"})
			if d := cmp.Diff(want, client.log.taken()); d != "" {
				t.Errorf("stepping up (-want +got):\n%s", d)
			}
			if got := client.held().present().Extra("scope"); got != member {
				t.Errorf("a member is granted %v", got)
			}
			revokes(t, a, client)
		})
		t.Run(name+"/operator", func(t *testing.T) {
			t.Parallel()
			p := &person{user: "operator"}
			client, err := connectGo(t, a, p, c.way)
			if err != nil {
				t.Fatal(err)
			}
			member := strings.Join(scopes().Member, " ")
			if d := cmp.Diff(toolsOf(member), listed(t, client)); d != "" {
				t.Errorf("before, an operator sees (-want +got):\n%s", d)
			}
			client.log.taken()
			result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_support_queue"})
			if err != nil || result.IsError {
				t.Fatalf("an operator cannot list the support queue: %v, error %v", result, err)
			}
			want := slices.Concat([]string{"POST /mcp 403"}, authorizes, []string{"POST /mcp 200"})
			if d := cmp.Diff(want, client.log.taken()); d != "" {
				t.Errorf("stepping up (-want +got):\n%s", d)
			}
			all := strings.Join(sorted(member+" support:admin"), " ")
			if d := cmp.Diff([]string{member, all}, p.asked); d != "" || client.held().present().Extra("scope") != all {
				t.Errorf("granted %v, asked for (-want +got):\n%s", client.held().present().Extra("scope"), d)
			}
			if d := cmp.Diff(toolsOf(all), listed(t, client)); d != "" {
				t.Errorf("afterwards, an operator sees (-want +got):\n%s", d)
			}
			refreshes(t, client)
			if got := client.held().present().Extra("scope"); got != all {
				t.Errorf("after a refresh an operator has %v", got)
			}
			revokes(t, a, client)
		})
	}
	t.Run("a person who says no", func(t *testing.T) {
		t.Parallel()
		c, err := connectGo(t, a, &person{user: "member", denies: true}, way{})
		if !errors.Is(err, errDenied) || c.held() != nil {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a person who logs in as nobody", func(t *testing.T) {
		t.Parallel()
		if _, err := connectGo(t, a, &person{user: ""}, way{}); !errors.Is(err, errDenied) {
			t.Errorf("error %v", err)
		}
	})
	for user, says := range map[string]string{
		"unregistered": "not registered", "pending": "acceptable use policy", "no-voperson": "lacks what is needed to know you",
	} {
		t.Run(user, func(t *testing.T) {
			t.Parallel()
			_, err := connectGo(t, a, &person{user: user}, way{})
			if err == nil || !strings.Contains(err.Error(), "/callback: status 403") || !strings.Contains(err.Error(), says) {
				t.Errorf("error %v, want a page that says %q", err, says)
			}
		})
	}
}

// clientDocument serves a client's metadata document over TLS on loopback, as
// go-sdk wants it, and gives its URL and a file of the certificate.
func clientDocument(t *testing.T) (id, certificate string) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"client_id":%q,"client_name":"A documented client","redirect_uris":[%q],
			"grant_types":["authorization_code","refresh_token"],"token_endpoint_auth_method":"none"}`, id, returnURL)
	})
	s.StartTLS()
	t.Cleanup(s.Close)
	id = s.URL + "/client.json"
	certificate = filepath.Join(t.TempDir(), "certificate.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(certificate, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return id, certificate
}

// toolsOf are the tools of scopes, by the catalog.
func toolsOf(granted string) (names []string) {
	for _, op := range catalog.Catalog().Operations {
		if !op.RPCOnly && slices.Contains(strings.Fields(granted), op.Scope) {
			names = append(names, op.Tool)
		}
	}
	slices.Sort(names)
	return names
}

func listed(t *testing.T, c *goClient) (names []string) {
	t.Helper()
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

// whoAmI calls a tool and gives what it says.
func whoAmI(t *testing.T, c *goClient) string {
	t.Helper()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_my_party"})
	if err != nil || result.IsError {
		t.Fatalf("get_my_party: %v, error %v", result, err)
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// refreshes sees the client go on with another token once its own is old, and
// nobody is asked.
func refreshes(t *testing.T, c *goClient) {
	t.Helper()
	before, asked, who := c.held().present(), len(c.person.asked), whoAmI(t, c)
	c.held().age()
	c.log.taken()
	if got := whoAmI(t, c); got != who {
		t.Errorf("after a refresh the API sees %s, not %s", got, who)
	}
	if d := cmp.Diff([]string{"POST /token 200", "POST /mcp 200"}, c.log.taken()); d != "" {
		t.Errorf("refreshing (-want +got):\n%s", d)
	}
	after := c.held().present()
	if after.AccessToken == before.AccessToken || after.RefreshToken == before.RefreshToken || len(c.person.asked) != asked {
		t.Error("the tokens are the same, or the person was asked again")
	}
}

// revokes ends the grant: no refresh token of it works any more, and the client
// asks the person again, who says no.
func revokes(t *testing.T, a machine, c *goClient) {
	t.Helper()
	tokens := c.held()
	status, _ := post(t, a.origin+"/revoke", map[string][]string{
		"token": {tokens.present().RefreshToken}, "client_id": {tokens.config.ClientID},
	})
	if status != http.StatusOK {
		t.Errorf("revoking: status %d", status)
	}
	tokens.age()
	_, err := tokens.Token()
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); !ok || refused.ErrorCode != "invalid_grant" {
		t.Errorf("refreshing after revoking: %v", err)
	}
	c.person.denies = true
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_my_party"}); !errors.Is(err, errDenied) {
		t.Errorf("after revoking: %v", err)
	}
}
