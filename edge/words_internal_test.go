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
