package tool_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// TestHeader has what may be sent, as it was given (fault I24).
//
// clause: E-12
func TestHeader(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		style tool.Style
		value any
		want  string
	}{
		{tool.Simple, `"0"`, `"0"`},
		{tool.Simple, "a b%2F;=/", "a b%2F;=/"},
		{tool.Simple, "ü", "ü"},
		{tool.Simple, "a,b", "a,b"},
		{tool.Simple, "a\tb", "a\tb"},
		{tool.Simple, int64(9007199254740993), "9007199254740993"},
		{tool.Simple, []string{"a", "b c"}, "a,b c"},
		{tool.JSON, json.RawMessage(`{"a": "b, \u000a"}`), `{"a":"b, \u000a"}`},
	} {
		if got, err := send(t, "header", "X-Test", tt.style, tt.value); err != nil || got != tt.want {
			t.Errorf("%v: got %q, %v, want %q", tt.value, got, err, tt.want)
		}
	}
	r := tool.NewRequest(http.MethodPost, base, "/x", "")
	r.Header("Idempotency-Key", tool.Simple, "k-1")
	r.Header("If-Match", tool.Simple, `"0"`)
	r.Header("X-None", tool.Simple, (*string)(nil))
	request, err := r.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got := request.Header.Values("Idempotency-Key"); len(got) != 1 || got[0] != "k-1" {
		t.Errorf("Idempotency-Key %q, want it once", got)
	}
	if len(request.Header) != 2 {
		t.Errorf("headers %v, want two", request.Header)
	}
}

// TestHeaderRefused has what may not: other header lines, and the headers that
// are the gateway's own in any letter case.
//
// clause: E-04, E-11
func TestHeaderRefused(t *testing.T) {
	t.Parallel()
	for _, value := range []any{
		"a\r\nX-Evil: 1", "a\nb", "a\rb", "a\x00b", "\x7f", "\x1b[1m", "\xff",
		[]string{"a", "b\r\nc"}, []string{"a,b"}, json.RawMessage(`{"a":"b\nc"}`), json.RawMessage(`{"a,b":1}`),
	} {
		refused(t, "X-Test", value)
	}
	for _, name := range []string{
		"", "X Test", "X:Test", "X-Test\r\n", "X\x00", "größe", "X[a]", "X/Y", `"x"`,
		"Host", "host", "Content-Length", "Content-Type", "Transfer-Encoding", "CONNECTION", "Cookie", "cookie",
		"Authorization", "authorization", "Proxy-Authorization", "Proxy-Connection", "proxy-anything",
		"Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Proto", "X-Real-IP", "Via", "TE", "Trailer",
		"Upgrade", "Keep-Alive", "Expect", "X-HTTP-Method-Override", "X-Original-URL", "Accept-Encoding",
	} {
		refused(t, name, "v")
	}
	// Not given is not refused.
	if _, err := send(t, "header", "Authorization", tool.Simple, (*string)(nil)); err != nil {
		t.Errorf("an absent header is refused: %v", err)
	}
}

func refused(t *testing.T, name string, value any) {
	t.Helper()
	got, err := send(t, "header", name, tool.Simple, value)
	var argument *tool.ArgumentError
	if !errors.As(err, &argument) {
		t.Errorf("%q: %q: got %q, %v, want a refusal", name, value, got, err)
	}
}
