package snapshot

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// The bounds of what is read.
const (
	maxHeader  = 8 << 20 // bytes of palette and box
	maxPalette = 1 << 15
	maxState   = 512 // bytes
)

// header stands before the cells.
type header struct {
	Revision uint64   `json:"revision"`
	Min      geom.Pos `json:"min"`
	Max      geom.Pos `json:"max"`
	Palette  []string `json:"palette"`
}

// Encode writes a snapshot: in gzip, the length of a JSON header, the header,
// and the cells as pairs of varints, a place and how often it follows itself.
// The place after the last of the palette is unknown.
func (s *Snapshot) Encode(w io.Writer) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(packed)
	head, err := json.Marshal(header{s.Revision, s.Box.Min, s.Box.Max, s.Palette})
	if err != nil {
		return err
	}
	_, _ = out.Write(binary.AppendUvarint(nil, uint64(len(head)))) // errors stay until Flush
	_, _ = out.Write(head)
	var pair []byte
	for i := 0; i < len(s.Cells); {
		end := i
		for end < len(s.Cells) && s.Cells[end] == s.Cells[i] {
			end++
		}
		place := uint64(s.Cells[i])
		if s.Cells[i] == Unknown {
			place = uint64(len(s.Palette))
		}
		pair = binary.AppendUvarint(binary.AppendUvarint(pair[:0], place), uint64(end-i))
		_, _ = out.Write(pair)
		i = end
	}
	return errors.Join(out.Flush(), packed.Close())
}

// Decode reads what Encode writes, whoever wrote it: every length is checked
// before anything is made of it.
func Decode(r io.Reader) (*Snapshot, error) {
	packed, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(packed)
	size, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, err
	}
	if size > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes: %d are allowed", size, maxHeader)
	}
	text, err := io.ReadAll(io.LimitReader(in, int64(size)))
	if err != nil {
		return nil, err
	}
	var head header
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	s := &Snapshot{Revision: head.Revision, Box: geom.Box{Min: head.Min, Max: head.Max}, Palette: head.Palette}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, s.read(in)
}

func (s *Snapshot) check() error {
	if s.Box != geom.NewBox(s.Box.Min, s.Box.Max) || s.Box.Volume() > MaxCells {
		return fmt.Errorf("a box from %s to %s: at most %d positions are allowed", s.Box.Min, s.Box.Max, MaxCells)
	}
	if len(s.Palette) == 0 || len(s.Palette) > maxPalette || s.Palette[0] != air {
		return fmt.Errorf("a palette of %d states: it begins with air and has %d at most", len(s.Palette), maxPalette)
	}
	for _, state := range s.Palette {
		if len(state) > maxState {
			return fmt.Errorf("a state of %d bytes: %d are allowed", len(state), maxState)
		}
	}
	return nil
}

func (s *Snapshot) read(in *bufio.Reader) error {
	s.Cells = make([]uint16, s.Box.Volume())
	for i := 0; i < len(s.Cells); {
		place, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		if place > uint64(len(s.Palette)) || n == 0 || n > uint64(len(s.Cells)-i) {
			return fmt.Errorf("%d cells of place %d at cell %d of %d", n, place, i, len(s.Cells))
		}
		cell := uint16(place)
		if place == uint64(len(s.Palette)) {
			cell = Unknown
		}
		for j := range s.Cells[i : i+int(n)] {
			s.Cells[i+j] = cell
		}
		i += int(n)
	}
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind the cells")
	}
	return nil
}
