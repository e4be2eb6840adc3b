package tool

import (
	"bytes"
	"io"
	"net/http"
)

// newContent is a request body in memory. It is never http.NoBody nor nil unless
// it is empty, and has no way back, which keeps net/http from sending it twice.
// Its type is one that net/http knows to be in memory: a body of any other goes
// out in a packet after that of the headers.
func newContent(data []byte) io.ReadCloser {
	if len(data) == 0 {
		return http.NoBody
	}
	return io.NopCloser(bytes.NewReader(data))
}
