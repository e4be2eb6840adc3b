package edge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
)

// Streams of one connection of HTTP/2 are requests like others: each gets its
// own reply, whether somebody watches its time or it ends by itself.
//
// clause: E-13, E-18, E-19
func TestCallsOverHTTP2(t *testing.T) {
	t.Parallel()
	for name, bound := range map[string]time.Duration{"watched": 0, "by itself": time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := edge.Config{Timeout: edge.Duration(500 * time.Millisecond)}
			server := edgeWith(t, bound, config, func(w http.ResponseWriter, r *http.Request) {
				id := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
				if id == "late" {
					_, _ = io.Copy(io.Discard, r.Body)
					<-r.Context().Done()
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"id":%q}`, id)
			})
			server.EnableHTTP2 = true
			server.StartTLS()
			t.Cleanup(server.Close)
			send := func(body string) (status int, reply []byte) {
				r, err := http.NewRequest(http.MethodPost, server.URL+"/mcp", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header = http.Header{
					"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
					"X-Scopes": {"shop:read shop:write"},
				}
				response, err := server.Client().Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = response.Body.Close() }()
				if response.ProtoMajor != 2 {
					t.Errorf("the reply is one of %s", response.Proto)
				}
				reply, err = io.ReadAll(response.Body)
				if err != nil {
					t.Error(err)
				}
				return response.StatusCode, reply
			}
			call := func(id int, tool, item string) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"path":{"id":%q}}}}`, id, tool, item)
			}
			var calls sync.WaitGroup
			for i := range 20 {
				calls.Go(func() {
					item := fmt.Sprintf("item-%d", i)
					tool, says := "get_item", []string{fmt.Sprintf(`"id":%d,`, i), item}
					if i%5 == 4 {
						tool, item = "delete_item", "late"
						says = []string{says[0], "upstream_timeout", `"outcome_unknown":true`}
					}
					status, reply := send(call(i, tool, item))
					for _, part := range says {
						if status != http.StatusOK || !json.Valid(reply) || !bytes.Contains(reply, []byte(part)) {
							t.Errorf("call %d: status %d, %s; want %s", i, status, reply, part)
						}
					}
				})
			}
			calls.Wait()
			large := strings.Repeat(" ", 2<<20)
			if status, reply := send(call(7, "get_item", "x") + large); status != http.StatusRequestEntityTooLarge || !bytes.Contains(reply, []byte(`"id":7`)) {
				t.Errorf("too large: status %d, %s", status, reply)
			}
			if status, reply := send(call(7, "get_item", "x")); status != http.StatusOK || !bytes.Contains(reply, []byte(`"id":7`)) {
				t.Errorf("after that: status %d, %s", status, reply)
			}
		})
	}
}
