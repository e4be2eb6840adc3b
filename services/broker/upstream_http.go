package broker

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// maxUpstream bounds what is read of one reply of the provider, in bytes.
const maxUpstream = 1 << 20

// limited is a transport whose replies end with an error beyond maxUpstream.
type limited struct{ next http.RoundTripper }

// RoundTrip sends one request.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
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

// checkType refuses a JWS whose typ says that it is no ID token, as an access
// token of the same provider might be.
func checkType(raw string) error {
	first, _, _ := strings.Cut(raw, ".")
	text, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return err
	}
	var header struct {
		Type string `json:"typ"`
	}
	if err := json.Unmarshal(text, &header); err != nil {
		return err
	}
	if header.Type != "" && !strings.EqualFold(header.Type, "JWT") {
		return errors.New("typ is not an ID token's")
	}
	return nil
}
