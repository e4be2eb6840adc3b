package wire_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// TestValues: what is written is read, at the ends of what each kind can hold.
func TestValues(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("01234567-89ab-4cde-8f01-23456789abcd")
	places := []geom.Pos{{}, {X: -1, Y: -1, Z: -1}, {X: 33554431, Y: 2047, Z: 33554431}, {X: -33554432, Y: -2048, Z: -33554432}, {X: 5, Y: -64, Z: -7}}
	ints := []int32{0, 1, 127, 128, 255, 25565, 2097151, math.MaxInt32, -1, math.MinInt32}
	p := new(wire.Packet)
	for _, v := range ints {
		p.Int(v)
	}
	for _, at := range places {
		p.Position(at)
	}
	p.Bool(true).Bool(false).Short(-2).Long(math.MinInt64).Float(1.5).Double(-2.25).String("żółw 🐢").UUID(id)
	r := wire.NewReader(*p)
	for _, v := range ints {
		if got := r.Int(); got != v {
			t.Errorf("%d was read as %d", v, got)
		}
	}
	for _, at := range places {
		if got := r.Position(); got != at {
			t.Errorf("%v was read as %v", at, got)
		}
	}
	if !r.Bool() || r.Bool() || r.Short() != -2 || r.Long() != math.MinInt64 || r.Float() != 1.5 || r.Double() != -2.25 ||
		r.String(9) != "żółw 🐢" || r.UUID() != id || r.End() != nil {
		t.Errorf("other values were read: %v", r.End())
	}
}

// TestKnownBytes: numbers and places have the bytes that the protocol's
// description gives.
func TestKnownBytes(t *testing.T) {
	t.Parallel()
	for v, want := range map[int32]string{
		0: "\x00", 127: "\x7f", 128: "\x80\x01", 25565: "\xdd\xc7\x01", 2147483647: "\xff\xff\xff\xff\x07", -1: "\xff\xff\xff\xff\x0f",
		-2147483648: "\x80\x80\x80\x80\x08",
	} {
		if got := string(*new(wire.Packet).Int(v)); got != want {
			t.Errorf("%d is %x, want %x", v, got, want)
		}
	}
	place := string(*new(wire.Packet).Position(geom.Pos{X: 18357644, Y: 831, Z: -20882616}))
	if want := "\x46\x07\x63\x2c\x15\xb4\x83\x3f"; place != want {
		t.Errorf("a place is %x, want %x", place, want)
	}
}

// TestBounds: every length is checked before anything is made of it.
func TestBounds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data string
		read func(*wire.Reader)
		ok   bool
	}{
		"text at its bound":           {"\x04abcd", func(r *wire.Reader) { r.String(4) }, true},
		"text beyond":                 {"\x05abcde", func(r *wire.Reader) { r.String(4) }, false},
		"a pair counts as two":        {"\x04🐢", func(r *wire.Reader) { r.String(1) }, false},
		"a pair of two":               {"\x04🐢", func(r *wire.Reader) { r.String(2) }, true},
		"text longer than the packet": {"\x7fabc", func(r *wire.Reader) { r.String(200) }, false},
		"text of 2 GiB":               {"\xff\xff\xff\xff\x07", func(r *wire.Reader) { r.String(32767) }, false},
		"text of negative length":     {"\xff\xff\xff\xff\x0f", func(r *wire.Reader) { r.String(32767) }, false},
		"text that is no UTF-8":       {"\x01\xff", func(r *wire.Reader) { r.String(4) }, false},
		"number of six bytes":         {"\x80\x80\x80\x80\x80\x01", func(r *wire.Reader) { r.Int() }, false},
		"number of 36 bits":           {"\x80\x80\x80\x80\x10", func(r *wire.Reader) { r.Int() }, false},
		"number without end":          {"\x80", func(r *wire.Reader) { r.Int() }, false},
		"truth of two":                {"\x02", func(r *wire.Reader) { r.Bool() }, false},
		"no number":                   {"\x7f\xc0\x00\x00", func(r *wire.Reader) { r.Float() }, false},
		"endless":                     {"\x7f\xf0\x00\x00\x00\x00\x00\x00", func(r *wire.Reader) { r.Double() }, false},
		"as many as fit":              {"\x02ab", func(r *wire.Reader) { r.Bytes(r.Count(2, 1)) }, true},
		"more than are allowed":       {"\x03abc", func(r *wire.Reader) { r.Bytes(r.Count(2, 1)) }, false},
		"more than fit":               {"\x02abc", func(r *wire.Reader) { r.Count(9, 2) }, false},
		"bytes left":                  {"ab", func(r *wire.Reader) { r.Byte() }, false},
	} {
		r := wire.NewReader([]byte(c.data))
		c.read(r)
		if err := r.End(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestConn: packets come as they were sent, packed and not, one after the other.
func TestConn(t *testing.T) {
	t.Parallel()
	for _, threshold := range []int{-1, 0, 64} {
		var stream bytes.Buffer
		out := wire.NewConn(nil, &stream)
		out.Compress(threshold)
		for _, size := range []int{0, 1, 61, 62, 63, 64, 1000, 60000} {
			if err := out.Write(wire.NewPacket(7).Raw(bytes.Repeat([]byte{'x'}, size))); err != nil {
				t.Fatal(err)
			}
		}
		in := wire.NewConn(&stream, nil)
		in.Compress(threshold)
		for _, size := range []int{0, 1, 61, 62, 63, 64, 1000, 60000} {
			number, r, err := in.Read()
			if err != nil || number != 7 || r.Left() != size {
				t.Fatalf("from %d: %d bytes came as %d (%v)", threshold, size, r.Left(), err)
			}
		}
		if _, _, err := in.Read(); !errors.Is(err, io.EOF) {
			t.Errorf("the end is %v", err)
		}
	}
}

// TestFrames: a length out of bounds, and one that lies, end the connection.
func TestFrames(t *testing.T) {
	t.Parallel()
	longest := string(*new(wire.Packet).Int(wire.MaxPacket)) + strings.Repeat("\x01", wire.MaxPacket)
	beyond := string(*new(wire.Packet).Int(wire.MaxPacket + 1)) + strings.Repeat("\x01", wire.MaxPacket+1)
	for name, c := range map[string]struct {
		data      string
		threshold int
		ok        bool
	}{
		"the longest":              {longest, -1, true},
		"one more":                 {beyond, -1, false},
		"nothing":                  {"\x00", -1, false},
		"a length without end":     {"\x80\x80\x80\x80", -1, false},
		"cut off":                  {"\x05ab", -1, false},
		"packed below the bound":   {"\x0a\x01" + "\x78\x9c\x62\x04\x04\x00\x00\xff\xff", 64, false},
		"packed to 2 GiB":          {"\x06\xff\xff\xff\xff\x07\x78", 64, false},
		"packed and no zlib":       {"\x05\x80\x01abc", 64, false},
		"packed, of negative size": {"\x06\xff\xff\xff\xff\x0fa", 64, false},
	} {
		conn := wire.NewConn(strings.NewReader(c.data), nil)
		conn.Compress(c.threshold)
		if _, _, err := conn.Read(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzRead: no bytes make the reader panic, or give more than they hold.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x05\x07abcd"), -1)
	f.Add([]byte("\x06\xff\xff\xff\xff\x07\x78"), 64)
	f.Fuzz(func(t *testing.T, data []byte, threshold int) {
		conn := wire.NewConn(bytes.NewReader(data), nil)
		conn.Compress(threshold)
		for {
			_, r, err := conn.Read()
			if err != nil {
				return
			}
			r.String(256)
			r.Position()
			r.Count(10, 4)
			if r.Left() > wire.MaxPacket {
				t.Fatal("more is left than was sent")
			}
		}
	})
}
