package broker_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
)

// resolver is one that gives every name the same addresses, whatever names and
// servers this machine knows.
func resolver(addresses ...string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go serveNames(far, addresses)
		return near, nil
	}}
}

// serveNames answers questions as they come over TCP (RFC 1035, 4).
func serveNames(conn net.Conn, addresses []string) {
	defer conn.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		reply := answerTo(question, addresses)
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

// answerTo answers a question for addresses of one family with those of it.
func answerTo(question []byte, addresses []string) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5
	kind := binary.BigEndian.Uint16(question[end-4:])
	reply := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end]...)
	for _, text := range addresses {
		address := netip.MustParseAddr(text)
		if address.Is4() != (kind == 1) || kind != 1 && kind != 28 {
			continue
		}
		reply[7]++
		reply = append(reply, 0xc0, 12, byte(kind>>8), byte(kind), 0, 1, 0, 0, 0, 0)
		reply = binary.BigEndian.AppendUint16(reply, uint16(address.BitLen()/8))
		reply = append(reply, address.AsSlice()...)
	}
	return reply
}
