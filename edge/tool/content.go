package tool

import (
	"bytes"
	"io"
	"net/http"
)

// content is a request body in memory. It is never http.NoBody nor nil unless
// it is empty, and has no way back, which keeps net/http from sending it twice.
type content struct{ bytes.Reader }

// Close implements io.Closer.
func (*content) Close() error { return nil }

func newContent(data []byte) io.ReadCloser {
	if len(data) == 0 {
		return http.NoBody
	}
	c := new(content)
	c.Reset(data)
	return c
}
