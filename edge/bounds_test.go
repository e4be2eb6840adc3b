package edge_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
)

// padded is a message that is n bytes long.
func padded(n int) string {
	return ping[:len(ping)-1] + strings.Repeat(" ", n-len(ping)) + "}"
}

// TestConfiguredBody holds the bound on both sides, announced or not, and the
// bound that there is without one.
//
// clause: P-31
func TestConfiguredBody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bound int64
		most  int
	}{
		"configured": {307_200, 307_200},
		"else":       {0, 1 << 20},
	} {
		b := setup(t, shop(), edge.Config{Body: c.bound}, respond(204, "", ""))
		for _, chunked := range []bool{false, true} {
			for size, want := range map[int]int{c.most - 1: 200, c.most: 200, c.most + 1: 413, 2 * c.most: 413} {
				var body io.Reader = strings.NewReader(padded(size))
				if chunked {
					body = io.MultiReader(body) // hides the length
				}
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url, body)
				if err != nil {
					t.Fatal(err)
				}
				r.Header = http.Header{
					"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
					"Mcp-Protocol-Version": {"2025-11-25"}, "Authorization": {"Bearer " + token},
				}
				reply, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(reply.Body)
				_ = reply.Body.Close()
				if reply.StatusCode != want {
					t.Errorf("%s: %d bytes, chunked %t: %d %.100s, want %d", name, size, chunked, reply.StatusCode, text, want)
				}
			}
		}
	}
}

// TestShapeOfAMessage is the same for each mount.
//
// clause: P-33
func TestShapeOfAMessage(t *testing.T) {
	t.Parallel()
	catalog := shop()
	catalog.Bare = true
	options := edge.Options{Authenticator: everyone{}, Exchange: &wire{}}
	mcp, err := edge.New(edge.Config{}, catalog, options)
	if err != nil {
		t.Fatal(err)
	}
	rpc, err := edge.NewRPC(edge.Config{}, catalog, options, edge.RPC{})
	if err != nil {
		t.Fatal(err)
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	many := func(n int) string { return "[0" + strings.Repeat(",0", n-2) + "]" }
	for _, c := range []struct {
		mount         http.Handler
		message, says string
		status        int
	}{
		// The message is one level; its own members and params are six values and names.
		{mcp, `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + deep(31) + `}`, `"id":7`, 200},
		{mcp, `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + deep(32) + `}`, "deeper than 32 levels", 400},
		{mcp, `{"id":7,"method":"ping","params":` + many(20_000-6) + `,"jsonrpc":"2.0"}`, "more than 20000 values", 400},
		{mcp, `{"id":7,"method":"ping","params":` + many(20_000-8) + `,"jsonrpc":"2.0"}`, `"id":7`, 200},
		{mcp, `{"id":7,"method":"ping","params":` + many(20_000-7) + `,"jsonrpc":"2.0"}`, "more than 20000 values", 400},
		{rpc, `{"method":"get_item","params":{"a":` + deep(30) + `}}`, "invalid_arguments", 400},
		{rpc, `{"method":"get_item","params":{"a":` + deep(31) + `}}`, "nested deeper than 32 levels", 400},
		{rpc, `{"method":"get_item","params":{"a":` + many(20_000-6) + `}}`, "invalid_arguments", 400},
		{rpc, `{"method":"get_item","params":{"a":` + many(20_000-5) + `}}`, "more than 20000 values and names", 400},
	} {
		w := to(c.mount, c.message)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%.60s…: %d %.200s, want %d and %s", c.message, w.Code, w.Body, c.status, c.says)
		}
	}
}

// to sends a message to a handler.
func to(h http.Handler, message string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(message))
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2025-11-25"}, "Authorization": {"Bearer ada"},
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestStrictText refuses what no database keeps wherever it stands, if it is
// asked to; else the message goes on.
//
// clause: P-33
func TestStrictText(t *testing.T) {
	t.Parallel()
	catalog := shop()
	catalog.Bare = true
	options := edge.Options{Authenticator: everyone{}, Exchange: &wire{}}
	for _, strict := range []bool{true, false} {
		config := edge.Config{StrictText: strict}
		mcp, err := edge.New(config, catalog, options)
		if err != nil {
			t.Fatal(err)
		}
		rpc, err := edge.NewRPC(config, catalog, options, edge.RPC{})
		if err != nil {
			t.Fatal(err)
		}
		for text, good := range map[string]bool{
			`plain \u0001 \ud83d\ude00 \\u0000`: true, `NUL \u0000`: false, `half \ud83d`: false, `the other half \ude00`: false,
		} {
			for _, c := range []struct {
				mount      http.Handler
				head, tail string
			}{
				{mcp, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_item","arguments":{"path":{"id":"`, `"}}}}`},
				{mcp, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_item","arguments":{"`, `":1}}}`},
				{mcp, `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"a":["`, `"]}}}`},
				{rpc, `{"method":"get_item","params":{"path":{"id":"`, `"}}}`},
			} {
				w := to(c.mount, c.head+text+c.tail)
				refused := w.Code == 400 && strings.Contains(w.Body.String(), "holds the character U+0000 or half of a surrogate pair")
				if refused != (strict && !good) {
					t.Errorf("strict %t: %s%s: %d %.200s", strict, c.head, text, w.Code, w.Body)
				}
				if refused && c.mount == mcp && !strings.Contains(w.Body.String(), `"id":7,"error":{"code":400`) {
					t.Errorf("%s is no error of its message", w.Body)
				}
			}
		}
	}
}
