package playtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// request is one over HTTP, but for what it shows of its sender.
type request struct {
	method, path, body, media string
	era                       bool // it is a message of MCP, after initialize
}

// requests makes the request of every route. Who may do it succeeds with it,
// about a subject that is as it should be.
var requests = func() map[string]func(subject) request {
	all := map[string]func(subject) request{}
	for _, some := range []map[string]func(subject) request{
		operations, playPages, authorPages, otherRoutes, messages("play", "/play/mcp", playTools), messages("author", "/mcp", authorTools),
	} {
		maps.Copy(all, some)
	}
	return all
}()

// names are the keys of a map in order.
func names[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

type object = map[string]any

func get(path string) request { return request{method: http.MethodGet, path: path} }

func encoded(o object) string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // it is made of texts and numbers
	}
	return string(text)
}

func post(path string, body object) request {
	return request{method: http.MethodPost, path: path, body: encoded(body), media: "application/json"}
}

// form is a form of a page: names and values in turn.
func form(path string, fields ...string) request {
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Add(fields[i], fields[i+1])
	}
	return request{method: http.MethodPost, path: path, body: values.Encode(), media: "application/x-www-form-urlencoded"}
}

// message is a message of MCP.
func message(path, method string, parameters object) request {
	r := post(path, object{"jsonrpc": "2.0", "id": 7, "method": method, "params": parameters})
	r.era = method != "initialize"
	return r
}

// messages are those of an MCP server: what all have, and its tools.
func messages(server, path string, tools map[string]func(subject) object) map[string]func(subject) request {
	all := map[string]func(subject) request{
		server + " initialize": func(subject) request {
			return message(path, "initialize", object{
				"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "test", "version": "1"},
			})
		},
		server + " ping":       func(subject) request { return message(path, "ping", object{}) },
		server + " tools/list": func(subject) request { return message(path, "tools/list", object{}) },
	}
	for tool, arguments := range tools {
		all[server+" "+tool] = func(s subject) request {
			return message(path, "tools/call", object{"name": tool, "arguments": arguments(s)})
		}
	}
	return all
}

// shows is what a request shows of its sender: a cookie, a bearer token, or both.
type shows struct{ cookie, bearer string }

// send sends a request.
func (r request) send(t *testing.T, to string, s shows) reply {
	t.Helper()
	header := http.Header{}
	if r.media != "" {
		header.Set("Content-Type", r.media)
		header.Set("Accept", "application/json, text/event-stream")
	}
	if r.era {
		header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	if s.cookie != "" {
		header.Set("Cookie", "pharos_login="+s.cookie)
	}
	if s.bearer != "" {
		header.Set("Authorization", "Bearer "+s.bearer)
	}
	return send(t, r.method, to+r.path, r.body, header)
}

// everything is all that a reply says: its header, and its body.
func (r reply) everything() string {
	var text strings.Builder
	for _, name := range names(r.header) {
		text.WriteString(name + ": " + strings.Join(r.header[name], "\n") + "\n")
	}
	return text.String() + "\n" + r.Body
}
