package edge_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
)

// unread sends a call and reads no byte of its reply but the first.
func (b *bench) unread(t *testing.T, version, call string) net.Conn {
	t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(b.url, "http://"), "/mcp")
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	_, _ = fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nMCP-Protocol-Version: %s\r\n"+
		"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
		b.token, version, len(call), call)
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestUnreadReplies has clients that do not read large replies: their memory is
// bounded, and others are told so, writes with their outcome.
//
// clause: E-19, E-58
func TestUnreadReplies(t *testing.T) {
	t.Parallel()
	large := `{"id":"` + strings.Repeat("<", 600_000) + `"}` // 3.6 MB as an envelope, 7.8 MB as a message
	const weighs = 13_300_000
	b := setup(t, shop(), edge.Config{Admission: edge.Admission{ReplyBytes: 4*weighs + weighs/2, CallsPerMinute: -1}},
		func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/small"):
				respond(200, "application/json", `{"id":"x"}`)(w, r)
			case r.Method == http.MethodPut:
				respond(201, "application/json", large)(w, r)
			default:
				respond(200, "application/json", large)(w, r)
			}
		})
	call := fmt.Sprintf(askItem, 1)
	var conns []net.Conn
	for range 4 {
		conns = append(conns, b.unread(t, "2025-11-25", call))
	}
	const message = "the server holds too many replies that are not read yet; try again in a second"
	a := b.call(t, "get_item", withID)
	if got, want := a.envelope(t), problemOf("getItem", 200, "overloaded", message, false); !sameJSON(got, want) {
		t.Errorf("a read without room: %s", got)
	}
	if got := a.Header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After: %q", got)
	}
	got := b.call(t, "create_item", creates).envelope(t)
	if want := problemOf("createItem", 201, "overloaded", message, true); !sameJSON(got, want) {
		t.Errorf("a write without room: %s", got)
	}
	if got := b.call(t, "get_item", `{"path":{"id":"small"}}`).envelope(t); !strings.Contains(got, `"result"`) {
		t.Errorf("a small reply without room: %s", got)
	}
	for _, c := range conns {
		_ = c.Close()
	}
	// The handlers find out by and by: within the time that a reply waits.
	if got := b.call(t, "get_item", withID).envelope(t); !strings.Contains(got, `"result"`) {
		t.Errorf("with room again: %.300s", got)
	}
}

// TestUnreadLists is the same for lists that the SDK makes.
//
// clause: E-58
func TestUnreadLists(t *testing.T) {
	t.Parallel()
	c := shop()
	long, _ := json.Marshal(strings.Repeat("long ", 2_000_000))
	c.Schemas = replaced(c.Schemas, "schemas/get_item.json", `"What get_item does."`, string(long))
	b := setup(t, c, edge.Config{Admission: edge.Admission{ReplyBytes: 1 << 20, CallsPerMinute: -1}}, respond(204, "", ""))
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}}`
	held := b.unread(t, "2025-11-25", list)
	if a := b.post(t, "2025-11-25", list, nil); a.Error == nil || a.Error.Code != http.StatusTooManyRequests {
		t.Errorf("a list without room: %d %.300s", a.Status, a.Body)
	}
	_ = held.Close()
	if a := b.post(t, "2025-11-25", list, nil); a.Error != nil {
		t.Errorf("a list with room again: %d %.300s", a.Status, a.Body)
	}
}
