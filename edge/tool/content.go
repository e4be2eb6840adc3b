package tool

import (
	"bytes"
	"io"
	"net/http"
)

// content is a request body in memory. Its request has no GetBody, which keeps
// net/http from sending it twice.
type content struct {
	bytes.Reader
	data []byte
}

// newContent is never http.NoBody nor nil unless it is empty.
func newContent(data []byte) io.ReadCloser {
	if len(data) == 0 {
		return http.NoBody
	}
	c := &content{data: data}
	c.Reset(data)
	return c
}

// Close implements io.Closer.
func (*content) Close() error { return nil }

// unread is a body that nothing has been read of. Its type is one that net/http
// knows to be in memory: a body of any other goes out in a packet after that of
// the headers.
func unread(body io.ReadCloser) (_ io.ReadCloser, again bool) {
	c, ok := body.(*content)
	if !ok {
		return body, body == nil || body == http.NoBody
	}
	return io.NopCloser(bytes.NewReader(c.data)), true
}
