package edge_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
)

// TestErrorsQuoteNothing sends values where the SDK's errors repeat them, in
// all eras, one of them long, and over stdio.
func TestErrorsQuoteNothing(t *testing.T) {
	t.Parallel()
	const mark = "hunter2"
	b := setup(t, shop(), edge.Config{}, respond(204, "", ""))
	meta := func(version string) string {
		return `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `"}`
	}
	for name, c := range map[string]struct {
		message string // MARK is the value
		says    string // in the era with a handshake
	}{
		"a name of another type": {`"tools/call","params":{"name":["MARK"],"arguments":"MARK"}`, `"code":-32602,"message":"the params are not of the form`},
		"a reference":            {`"completion/complete","params":{"ref":{"type":"MARK"}}`, `"code":-32602,"message":"the params are not of the form`},
		"a handshake":            {`"initialize","params":"MARK"`, `"code":-32602,"message":"the params are not of the form`},
		"a stream":               {`"subscriptions/listen","params":{"notifications":"MARK"}`, `"code":-32602,"message":"the params are not of the form`},
		"a prompt":               {`"prompts/get","params":{"name":"MARK"}`, `unknown prompt \"…\"`},
		"a method":               {`"MARK"`, `JSON RPC not handled: \"…\" unsupported`},
		"a version":              {`"ping","params":{` + meta("MARK") + `}`, `-32020,"message":"Mcp-Protocol-Version header \"…\"`},
		"no version":             {`"ping","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":"MARK"}}`, `"result":{}`},
	} {
		for _, value := range []string{mark, strings.Repeat(mark, 50_000)} {
			message := `{"jsonrpc":"2.0","id":1,"method":` + strings.ReplaceAll(c.message, "MARK", value) + `}`
			for _, version := range eras {
				a := b.post(t, version, message, http.Header{"Mcp-Method": {mark}, "Mcp-Name": {mark}})
				if strings.Contains(a.Body, mark) || len(a.Body) > 1000 {
					t.Errorf("%s, %s: %.300s", name, version, a.Body)
				}
				if version == eras[0] && !strings.Contains(a.Body, c.says) {
					t.Errorf("%s: %.300s does not say %s", name, a.Body, c.says)
				}
			}
		}
	}
	long := b.post(t, eras[0], `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+strings.Repeat("a:", 5000)+`"}}`, nil)
	if long.Error == nil || len(long.Body) > 1000 || !strings.Contains(long.Body, `"uri":"a:a:`) {
		t.Errorf("a resource: %.300s", long.Body)
	}
	if a := b.call(t, "no_such", `{}`); !strings.Contains(a.Body, `unknown tool \"no_such\"`) {
		t.Errorf("a tool: %s", a.Body)
	}
	if a := b.call(t, strings.Repeat(mark, 1000), `{}`); len(a.Body) > 300 {
		t.Errorf("a tool with a long name: %.300s", a.Body)
	}

	p := serveStdio(t, edge.Config{}, respond(204, "", ""))
	go func() {
		_, _ = p.in.Write([]byte(shake + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["` + mark + `"]}}` + "\n"))
		_ = p.in.Close()
	}()
	if got := p.rest(t)["1"]; strings.Contains(got, mark) || !strings.Contains(got, "the params are not of the form") {
		t.Errorf("over stdio: %s", got)
	}
	<-p.served
}
