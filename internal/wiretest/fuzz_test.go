package wiretest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/wiretest/generated/wire"
)

// origin is where every request must go, and what its path must start with.
const origin = "http://api.test:8443/base"

// routes are the method and path of every tool's requests.
var routes = map[string]struct {
	method string
	path   *regexp.Regexp
}{
	"add_comment":   {http.MethodPost, route("/comments")},
	"change_thing":  {http.MethodPatch, route("/things/{}")},
	"check_thing":   {http.MethodPost, route("/check")},
	"create_thing":  {http.MethodPost, route("/things")},
	"delete_thing":  {http.MethodDelete, route("/things/{}")},
	"get_file":      {http.MethodGet, route("/files/{}")},
	"get_picture":   {http.MethodGet, route("/pictures/{}")},
	"get_shelf":     {http.MethodGet, route("/shelves/{}")},
	"get_thing":     {http.MethodGet, route("/things/{}")},
	"import_things": {http.MethodPost, route("/batch")},
	"put_picture":   {http.MethodPut, route("/pictures/{}")},
	"rename_thing":  {http.MethodPut, route("/things/{}")},
	"search":        {http.MethodGet, route("/search")},
	"submit_form":   {http.MethodPost, route("/forms")},
	"upload":        {http.MethodPost, route("/uploads")},
}

func route(path string) *regexp.Regexp {
	return regexp.MustCompile("^/base" + strings.ReplaceAll(path, "{}", `[A-Za-z0-9%._~!$&'()*+,;=:@-]+`) + "$")
}

// headers are all that an argument may have a say in.
var headers = map[string]bool{
	"Accept": true, "Content-Type": true, "Cookie": true, "Idempotency-Key": true, "If-Match": true, "X-Trace": true,
}

// names are those of the query's parameters, as they are on the wire.
var names = regexp.MustCompile(`^(tags|fields|filter\[(color|size)\]|page\[size\]|limit|id)$`)

// watch is an exchange that holds every request against its route.
type watch struct{ fault error }

func (*watch) Base(string) string { return origin }

func (w *watch) Send(_ context.Context, op *tool.Operation, r *http.Request) (tool.Result, error) {
	var sent bytes.Buffer
	want := routes[op.Tool]
	err := r.Write(&sent)
	got, readErr := http.ReadRequest(bufio.NewReader(&sent))
	switch {
	case err != nil || readErr != nil:
		w.fault = fmt.Errorf("%s: no request: %v, %v", op.Tool, err, readErr)
	case r.URL.Scheme+"://"+r.URL.Host != "http://api.test:8443" || got.Host != "api.test:8443":
		w.fault = fmt.Errorf("%s: goes to %s, host %q", op.Tool, r.URL, got.Host)
	case got.Method != want.method || !want.path.MatchString(got.URL.EscapedPath()):
		w.fault = fmt.Errorf("%s: is %s %s", op.Tool, got.Method, got.RequestURI)
	default:
		w.fault = parts(op, r, got)
	}
	return tool.Result{Status: http.StatusNoContent}, nil
}

// parts looks at the segments, the query and the headers of a request, as its
// server reads them.
func parts(op *tool.Operation, built, got *http.Request) error {
	for part := range strings.SplitSeq(got.URL.EscapedPath()[1:], "/") {
		text, err := url.PathUnescape(part)
		if err != nil || text == "." || text == ".." || strings.ContainsAny(text, "/\\\x00\r\n") {
			return fmt.Errorf("%s: segment %q, %v", op.Tool, text, err)
		}
	}
	query, err := url.ParseQuery(got.URL.RawQuery)
	if err != nil {
		return fmt.Errorf("%s: query %q: %w", op.Tool, got.URL.RawQuery, err)
	}
	for name := range query {
		if !names.MatchString(name) {
			return fmt.Errorf("%s: query parameter %q", op.Tool, name)
		}
	}
	for name := range built.Header {
		if !headers[name] {
			return fmt.Errorf("%s: header %q", op.Tool, name)
		}
	}
	body, err := io.ReadAll(got.Body)
	if sent := got.Header.Get("Content-Type"); err != nil || (len(body) > 0) != (got.ContentLength > 0) || sent == "" && len(body) > 0 {
		return fmt.Errorf("%s: body of %d bytes, type %q, %v", op.Tool, len(body), sent, err)
	}
	return nil
}

// FuzzArguments sends any arguments for any tool through the whole edge. What
// it would send goes to the configured origin by the operation's own method and
// path, and nothing in it is of the arguments' making but the values of its
// parameters.
//
// clause: E-10, E-11, E-54
func FuzzArguments(f *testing.F) {
	operations := wire.Catalog().Operations
	for i := range operations {
		for _, value := range []string{"a/b", `a\\b`, "..", ".;x", "%2e%2e", "%252f", `\u0000`, "//evil.test/", "?q=1", "#x", "@evil.test", "\u2025"} {
			f.Add(uint8(i), fmt.Sprintf(`{"path":{"id":"%[1]s","name":"%[1]s","shelf":"%[1]s"}}`, value))
			f.Add(uint8(i), fmt.Sprintf(`{"path":{"id":"%s"}}`, value))
			f.Add(uint8(i), fmt.Sprintf(`{"path":{"name":"%s"}}`, value))
		}
		for _, name := range slices.Sorted(maps.Keys(calls)) {
			if b := calls[name]; b.tool == operations[i].Tool && len(b.arguments) < 1000 {
				f.Add(uint8(i), b.arguments)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(faults)) {
			for _, b := range faults[id] {
				if b.tool == operations[i].Tool {
					f.Add(uint8(i), b.arguments)
				}
			}
		}
	}
	w := &watch{}
	s, err := edge.New(edge.Config{Admission: edge.Admission{CallsPerMinute: -1}}, wire.Catalog(),
		edge.Options{Authenticator: callers{}, Exchange: w})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, n uint8, arguments string) {
		name := operations[int(n)%len(operations)].Tool
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(fmt.Sprintf(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments)))
		r.Header = http.Header{
			"Content-Type": {asJSON}, "Accept": {"application/json, text/event-stream"}, "Authorization": {"Bearer " + tokenOf + "a"},
			"Mcp-Protocol-Version": {eras[0]},
		}
		reply := httptest.NewRecorder()
		w.fault = nil
		s.ServeHTTP(reply, r)
		if w.fault != nil {
			t.Fatalf("%s: %v", arguments, w.fault)
		}
		if !json.Valid(reply.Body.Bytes()) || reply.Code >= 500 || strings.Contains(reply.Body.String(), `"code":"internal"`) {
			t.Fatalf("%s with %s: status %d, %s", name, arguments, reply.Code, reply.Body)
		}
	})
}
