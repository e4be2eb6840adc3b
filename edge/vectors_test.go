package edge_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	tokens "github.com/pharos-mcp/pharos/edge/token"
)

// TestUnenrolledKey refuses a key that its broker publishes and nobody enrolled
// here, and asks the broker for nothing (F09).
//
// clause: E-25
func TestUnenrolledKey(t *testing.T) {
	t.Parallel()
	published, _ := keyFiles(t, 3)
	_, enrolled := keyFiles(t, 1)
	signer := signerOf(t, published)
	var asked atomic.Int64
	broker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		set, err := signer.Keys().JWKS()
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(set)
	}))
	t.Cleanup(broker.Close)
	s, err := edge.New(edge.Config{
		Authentication: edge.Authentication{Mode: "oauth", Broker: edge.Broker{Issuer: broker.URL, KeysFile: enrolled, Resource: resource}},
		Upstreams:      map[string]edge.Upstream{"shop": {URL: "http://127.0.0.1:1"}},
	}, shop(), edge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	now := time.Now()
	compact, err := signer.Access(tokens.Access{
		Claims: tokens.Claims{
			Issuer: broker.URL, Audience: resource, Subject: "p-1", ID: "j-1", IssuedAt: now, Expires: now.Add(time.Minute),
			Identity: tokens.Identity{Issuer: "i", Subject: "s", VopersonID: "v"},
		},
		Authority: tokens.Authority{Party: "p-1", AuthVersion: 1, Scopes: []string{"shop:read"}}, ClientID: "c",
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{url: server.URL + "/mcp", token: compact}
	a := b.call(t, "get_item", `{"path":{"id":"x"}}`)
	if a.Status != http.StatusUnauthorized || !strings.Contains(a.Header.Get("WWW-Authenticate"), `error="invalid_token"`) || asked.Load() != 0 {
		t.Errorf("status %d, challenge %s, %d requests to the broker", a.Status, a.Header.Get("WWW-Authenticate"), asked.Load())
	}
}

// TestScopeByOneReading decides by the same bytes that are dispatched: a body that can
// be read in two ways is refused, and a header that says otherwise than the body
// gives no right (G03, G05).
//
// clause: E-21
func TestScopeByOneReading(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	reads := http.Header{"Authorization": {"Bearer " + g.access(t, time.Minute, "shop:read")}}
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s}}%s`
	const item = `"arguments":{"path":{"id":"x"}}`
	for name, body := range map[string]string{
		"G03 a name twice":                fmt.Sprintf(call, `"name":"get_item","name":"delete_item",`+item, ""),
		"G03 a name twice, the other way": fmt.Sprintf(call, `"name":"delete_item","name":"get_item",`+item, ""),
		"G03 a name in another case":      fmt.Sprintf(call, `"name":"get_item","Name":"delete_item",`+item, ""),
		"G03 params twice":                `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item",` + item + `},"params":{"name":"delete_item",` + item + `}}`,
		"G03 a method twice":              `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"delete_item",` + item + `}}`,
		"G03 bytes behind":                fmt.Sprintf(call, `"name":"get_item",`+item, `{}`),
		"G03 another message":             fmt.Sprintf(call, `"name":"get_item",`+item, fmt.Sprintf(call, `"name":"delete_item",`+item, "")),
	} {
		if a := g.post(t, "2025-11-25", body, reads.Clone()); a.Status != http.StatusBadRequest {
			t.Errorf("%s: status %d: %s", name, a.Status, a.Body)
		}
	}
	for _, era := range eras {
		header := reads.Clone()
		header.Set("Mcp-Name", "get_item")
		header.Set("Mcp-Method", "tools/call")
		a := g.post(t, era, fmt.Sprintf(call, `"name":"delete_item",`+item, ""), header)
		if a.Status != http.StatusForbidden && a.Status != http.StatusBadRequest {
			t.Errorf("G05 %s: status %d: %s", era, a.Status, a.Body)
		}
	}
	if len(g.assertions) != 0 {
		t.Errorf("the API was called: %+v", g.assertions)
	}
}

// TestSessionOfAnother gives the session of one caller to no other, whatever is
// asked in it (G07).
//
// clause: E-56
func TestSessionOfAnother(t *testing.T) {
	t.Parallel()
	s, err := edge.New(edge.Config{Upstreams: map[string]edge.Upstream{"shop": {URL: "http://127.0.0.1:1"}}},
		shop(), edge.Options{Authenticator: everyone{}, Sessions: &edge.Sessions{}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	b := &bench{url: server.URL + "/mcp", token: "ada"}
	begun := b.post(t, "2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, nil)
	session := begun.Header["Mcp-Session-Id"]
	if begun.Status != http.StatusOK || len(session) != 1 {
		t.Fatalf("initialize: %d %s", begun.Status, begun.Body)
	}
	for caller, want := range map[string][]int{"ada": {http.StatusOK}, "bob": {http.StatusForbidden, http.StatusNotFound}} {
		a := b.post(t, "2025-11-25", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, http.Header{
			"Mcp-Session-Id": session, "Authorization": {"Bearer " + caller},
		})
		if !slices.Contains(want, a.Status) {
			t.Errorf("%s: status %d, want one of %v: %.200s", caller, a.Status, want, a.Body)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, b.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Mcp-Session-Id": session, "Authorization": {"Bearer bob"}, "Mcp-Protocol-Version": {"2025-11-25"}}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusForbidden && reply.StatusCode != http.StatusNotFound {
		t.Errorf("ending the session of another: status %d", reply.StatusCode)
	}
}
