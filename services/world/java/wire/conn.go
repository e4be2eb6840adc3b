package wire

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math"
)

// MaxPacket bounds a packet that a client sends, unpacked: 2 MiB is the game's
// own bound, and no packet that a player sends comes near this one.
const MaxPacket = 64 << 10

// Conn reads and writes packets. One goroutine may read and one write.
type Conn struct {
	in  io.Reader
	out io.Writer

	// threshold is the size from which packets are packed; negative packs none.
	// Each side knows it before the other begins.
	threshold int
	one       [1]byte
	buffer    []byte
	unpacker  io.ReadCloser // also a zlib.Resetter
	packer    *zlib.Writer
}

// NewConn makes a connection that packs nothing. In should be buffered.
func NewConn(in io.Reader, out io.Writer) *Conn { return &Conn{in: in, out: out, threshold: -1} }

// Compress packs packets from now on that have at least threshold bytes.
func (c *Conn) Compress(threshold int) { c.threshold = threshold }

// Read returns the next packet, which is valid until the next call, and its
// number. io.EOF is the end between two packets.
func (c *Conn) Read() (number int32, r *Reader, err error) {
	size, err := c.length()
	if err != nil {
		return 0, nil, err
	}
	if cap(c.buffer) < size {
		c.buffer = make([]byte, size)
	}
	c.buffer = c.buffer[:size]
	if _, err := io.ReadFull(c.in, c.buffer); err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	data := c.buffer
	if c.threshold >= 0 {
		if data, err = c.unpack(data); err != nil {
			return 0, nil, err
		}
	}
	r = NewReader(data)
	number = r.Int()
	return number, r, r.Err()
}

// length reads the length of a packet, byte by byte: at most three.
func (c *Conn) length() (int, error) {
	size := 0
	for i := range 3 {
		if _, err := io.ReadFull(c.in, c.one[:]); err != nil {
			if i > 0 {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		size |= int(c.one[0]&0x7f) << (7 * i)
		if c.one[0]&0x80 == 0 {
			if size == 0 || size > MaxPacket {
				return 0, fmt.Errorf("a packet of %d bytes: 1 to %d are allowed", size, MaxPacket)
			}
			return size, nil
		}
	}
	return 0, fmt.Errorf("the length of a packet has more than three bytes: %d are allowed", MaxPacket)
}

// unpack returns what a packet holds once packets are packed.
func (c *Conn) unpack(data []byte) ([]byte, error) {
	r := NewReader(data)
	size := int(r.Int())
	switch {
	case r.Err() != nil:
		return nil, r.Err()
	case size == 0:
		return data[len(data)-r.Left():], nil
	case size < c.threshold || size > MaxPacket:
		return nil, fmt.Errorf("a packed packet of %d bytes: %d to %d are allowed", size, c.threshold, MaxPacket)
	}
	if err := c.begin(bytes.NewReader(data[len(data)-r.Left():])); err != nil {
		return nil, err
	}
	unpacked := make([]byte, size)
	if _, err := io.ReadFull(c.unpacker, unpacked); err != nil {
		return nil, err
	}
	if n, err := c.unpacker.Read(c.one[:]); n > 0 || !errors.Is(err, io.EOF) {
		return nil, errors.New("a packed packet is longer than it says")
	}
	return unpacked, nil
}

// begin has the unpacker read from packed.
func (c *Conn) begin(packed io.Reader) (err error) {
	if c.unpacker == nil {
		c.unpacker, err = zlib.NewReader(packed)
		return err
	}
	return c.unpacker.(zlib.Resetter).Reset(packed, nil)
}

// Write sends a packet.
func (c *Conn) Write(p *Packet) error {
	frame, err := c.Frame(p)
	if err != nil {
		return err
	}
	_, err = c.out.Write(frame)
	return err
}

// Frame is a packet as it goes over the connection.
func (c *Conn) Frame(p *Packet) ([]byte, error) {
	body := []byte(*p)
	if len(body) > math.MaxInt32 {
		return nil, errors.New("a packet is too large")
	}
	if c.threshold < 0 {
		return framed(nil, body), nil
	}
	if len(body) < c.threshold {
		return framed([]byte{0}, body), nil
	}
	var packed bytes.Buffer
	if c.packer == nil {
		// The level is one that there is. Nobody waits for a wire on loopback.
		c.packer, _ = zlib.NewWriterLevel(nil, zlib.BestSpeed)
	}
	c.packer.Reset(&packed)
	if _, err := c.packer.Write(body); err != nil {
		return nil, err
	}
	if err := c.packer.Close(); err != nil {
		return nil, err
	}
	return framed(*new(Packet).Int(int32(len(body))), packed.Bytes()), nil
}

// framed puts the length before what is sent.
func framed(head, body []byte) []byte {
	frame := make(Packet, 0, len(head)+len(body)+5)
	frame.Int(int32(len(head) + len(body))).Raw(head).Raw(body)
	return frame
}
