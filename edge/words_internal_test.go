package edge

import "testing"

// Every error has a code that the documents name.
func TestErrorsHaveCodes(t *testing.T) {
	t.Parallel()
	const head = `{"jsonrpc":"2.0","id":1,`
	for message, want := range map[string]string{
		`"error":{"code":0,"message":"context canceled"}}`: `"error":{"code":-32600,"message":"the request was cancelled"}}`,
		`"error":{"code":0,"message":"method \"x\" is invalid during session initialization"}}`: `"error":{"code":-32600,` +
			`"message":"method \"…\" is invalid during session initialization"}}`,
		`"error":{"code":-32603,"message":"internal error"}}`: `"error":{"code":-32603,"message":"internal error"}}`,
		`"result":{}}`: `"result":{}}`,
	} {
		if got := string(inOurWords([]byte(head + message))); got != head+want {
			t.Errorf("%s became %s", message, got)
		}
	}
}

// What the SDK's errors say is needed stays in them; what a request said goes.
func TestErrorsKeepNames(t *testing.T) {
	t.Parallel()
	for _, kept := range []string{
		"Content-Type must be 'application/json'",
		"Accept must contain both 'application/json' and 'text/event-stream'",
		"invalid params: missing required 'notifications' field",
		`invalid request: missing required "params"`,
		`missing "io.modelcontextprotocol/clientInfo"`,
	} {
		if got := withoutQuotes(kept); got != kept {
			t.Errorf("%s became %s", kept, got)
		}
	}
	for message, want := range map[string]string{
		"Mcp-Name header value 'application/jsonx' is not 'x'": "Mcp-Name header value '…' is not '…'",
		`missing id for "hunter2"`:                             `missing id for "…"`,
	} {
		if got := withoutQuotes(message); got != want {
			t.Errorf("%s became %s, want %s", message, got, want)
		}
	}
}
