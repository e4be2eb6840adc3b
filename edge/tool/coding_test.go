package tool_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
)

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// TestCodings tells a reply that came and cannot be decoded from one that broke
// off on its way.
//
// clause: E-17, E-19
func TestCodings(t *testing.T) {
	t.Parallel()
	const text = `{"a":"b"}`
	whole := func(coding, body string) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s", coding, len(body), body)
	}
	chunked := func(body, end string) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s%s", len(body), body, end)
	}
	const coded = "Content-Encoding: gzip\r\n"
	z := zipped(text)
	corrupt := z[:12] + "\xff\xff" + z[14:]
	for name, c := range map[string]struct {
		reply string
		body  string // "-" is a reply that cannot be decoded, "!" one that was lost
	}{
		"gzip":                    {whole(coded, z), text},
		"gzip in two parts":       {whole(coded, z+zipped("c")), text + "c"},
		"gzip by its old name":    {whole("Content-Encoding: X-GZip\r\n", z), text},
		"identity":                {whole("Content-Encoding: identity\r\n", text), text},
		"identity and gzip":       {whole("Content-Encoding: identity\r\n"+coded, z), text},
		"nothing, said to be br":  {whole("Content-Encoding: br\r\n", ""), ""},
		"br":                      {whole("Content-Encoding: br\r\n", z), "-"},
		"zstd":                    {whole("Content-Encoding: zstd\r\n", z), "-"},
		"gzip, then br":           {whole(coded+"Content-Encoding: br\r\n", z), "-"},
		"gzip twice":              {whole("Content-Encoding: gzip, gzip\r\n", z), "-"},
		"no gzip":                 {whole(coded, text), "-"},
		"corrupt gzip":            {whole(coded, corrupt), "-"},
		"another sum":             {whole(coded, z[:len(z)-8]+"\x00\x00\x00\x00"+z[len(z)-4:]), "-"},
		"gzip that ends early":    {whole(coded, z[:len(z)-6]), "-"},
		"gzip and more":           {whole(coded, z+"more"), "-"},
		"the same in chunks":      {chunked(z[:len(z)-6], "\r\n0\r\n\r\n"), "-"},
		"chunks that end early":   {chunked(z[:len(z)-6], "\r\n"), "!"},
		"chunks that are none":    {chunked(z[:len(z)-6], "\r\nzz\r\n"), "!"},
		"a length that is missed": {"HTTP/1.1 200 OK\r\n" + coded + "Content-Length: 999\r\n\r\n" + z[:len(z)-6], "!"},
		"br that is missed":       {"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 9\r\n\r\n", "!"},
		"gzip that is missed":     {"HTTP/1.1 200 OK\r\n" + coded + "Content-Length: 9\r\n\r\n", "!"},
	} {
		s := listen(t, nil, func(conn *conn) {
			conn.request()
			conn.reply(c.reply)
		})
		got, err := do(t.Context(), upstream(t, tool.UpstreamConfig{BaseURL: s.url}), "GET", "/x", nil)
		told := string(got.Body)
		if err != nil {
			told = "!"
			if errors.Is(err, tool.ErrCoding) {
				told = "-"
			}
			if send, ok := errors.AsType[*tool.SendError](err); !ok || !send.Sent || got.Status != 200 {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
		if told != c.body {
			t.Errorf("%s: got %q, %v, want %q", name, told, err, c.body)
		}
	}
}
