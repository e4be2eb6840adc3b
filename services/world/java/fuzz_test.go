package java_test

import (
	"bytes"
	"net"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/java"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// FuzzVisit: no bytes of somebody who is not in the world make the server panic
// or keep the connection. The state is how far the visit has come.
func FuzzVisit(f *testing.F) {
	login := frame(wire.NewPacket(0).String("Ada").Raw(make([]byte, 16)))
	acknowledged := func(number int32, body ...byte) []byte {
		var b bytes.Buffer
		c := wire.NewConn(nil, &b)
		c.Compress(256)
		_ = c.Write(wire.NewPacket(number).Raw(body))
		return b.Bytes()
	}
	for state := range byte(4) {
		f.Add(state, []byte{})
		f.Add(state, handshake(1))
		f.Add(state, login)
		f.Add(state, append(acknowledged(3), acknowledged(2)...))
		f.Add(state, acknowledged(0, []byte("\x05en_us\x08\x00\x01\x7f\x01\x00\x01")...))
		f.Add(state, []byte("\xff\xff\x03\x00"))
		f.Add(state, []byte("\x06\xff\xff\xff\xff\x07\x78"))
		f.Add(state, []byte("\xfe\x01\xfa")) // how clients before 1.7 ask
		f.Add(state, frame(wire.NewPacket(0).Int(763).String("localhost").Short(1).Int(2)))
		f.Add(state, frame(wire.NewPacket(0).String("a name that is too long").Raw(make([]byte, 16))))
	}
	s := start(f, java.Config{View: 2, Greeting: time.Second}, java.Options{})
	f.Fuzz(func(t *testing.T, state byte, data []byte) {
		conn := s.connect(t.Context(), t)
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(patience))
		before := [][]byte{nil, handshake(1), handshake(2), append(handshake(2), append(login, acknowledged(3)...)...)}
		_, _ = conn.Write(append(before[state%4], data...))
		_ = conn.(*net.TCPConn).CloseWrite()
		if _, err := new(bytes.Buffer).ReadFrom(conn); timedOut(err) {
			t.Fatal("the connection stays open")
		}
	})
}

func timedOut(err error) bool {
	other, ok := err.(net.Error)
	return ok && other.Timeout()
}
