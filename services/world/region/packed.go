package region

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// packed is a changed chunk as it will stand.
type packed struct {
	Pos
	by   scheme
	data []byte
}

// out reports whether the chunk is too large for a region.
func (p *packed) out() bool { return prefix+len(p.data) > mostOf*sector }

// inside is what the region itself has of the chunk: how it is compressed, and
// the bytes.
func (p *packed) inside() (by scheme, data []byte) {
	if p.out() {
		return p.by | outside, nil
	}
	return p.by, p.data
}

// sectors is how many sectors that takes.
func (p *packed) sectors() int64 {
	_, data := p.inside()
	return (prefix + int64(len(data)) + sector - 1) / sector
}

// write writes the sectors of a changed chunk through to the file.
func (p *packed) write(out *bufio.Writer) error {
	by, data := p.inside()
	var head [prefix]byte
	binary.BigEndian.PutUint32(head[:], uint32(1+len(data)))
	head[4] = byte(by)
	rest := p.sectors()*sector - prefix - int64(len(data))
	_, err := io.Copy(out, io.MultiReader(bytes.NewReader(head[:]), bytes.NewReader(data), bytes.NewReader(make([]byte, rest))))
	if err != nil {
		return err
	}
	return out.Flush()
}
