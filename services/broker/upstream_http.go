package broker

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxUpstream bounds what is read of one reply of the provider, in bytes.
const maxUpstream = 1 << 20

// limited is a transport whose replies end with an error beyond maxUpstream. A
// document that is answered with anything but 200 is an error without the words
// of the reply, which go-oidc would repeat.
type limited struct{ next http.RoundTripper }

// RoundTrip sends one request.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodGet && reply.StatusCode != http.StatusOK {
		_ = reply.Body.Close()
		return nil, fmt.Errorf("status %d, want 200", reply.StatusCode)
	}
	reply.Body = struct {
		io.Reader
		io.Closer
	}{&atMost{reply.Body, maxUpstream}, reply.Body}
	return reply, nil
}

// atMost reads up to a number of bytes and fails for one more.
type atMost struct {
	from io.Reader
	left int
}

func (m *atMost) Read(p []byte) (int, error) {
	if m.left < 0 {
		return 0, errors.New("the reply is too large")
	}
	n, err := m.from.Read(p[:min(len(p), m.left+1)])
	m.left -= n
	return n, err
}
