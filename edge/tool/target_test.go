package tool

import (
	"net"
	"net/http/httptrace"
	"testing"
)

// TestTransport has nothing that could add a hop or a repetition.
//
// clause: E-18
func TestTransport(t *testing.T) {
	t.Parallel()
	u, err := NewUpstream(map[string]UpstreamConfig{"d": {BaseURL: "https://h"}})
	if err != nil {
		t.Fatal(err)
	}
	transport := u.targets["d"].transport
	if transport.Proxy != nil || transport.OnProxyConnectResponse != nil {
		t.Error("a proxy may be used")
	}
	if transport.MaxResponseHeaderBytes == 0 {
		t.Error("the head of a reply is not bounded")
	}
}

// TestSecondConnection is taken away before net/http can write to it.
//
// clause: E-18
func TestSecondConnection(t *testing.T) {
	t.Parallel()
	ours, theirs := net.Pipe()
	defer func() { _ = theirs.Close() }()
	cancelled := 0
	a := attempt{cancel: func() { cancelled++ }}
	a.gotConn(httptrace.GotConnInfo{Conn: ours})
	if cancelled != 0 {
		t.Fatal("the first connection is refused")
	}
	a.gotConn(httptrace.GotConnInfo{Conn: ours, Reused: true})
	if _, err := ours.Write([]byte("x")); err == nil || cancelled != 1 {
		t.Errorf("the second connection can be written to, cancelled %d times", cancelled)
	}
}
