package schem

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// Encode writes a file that Decode reads. It writes the offset twice, as the
// format has it and as WorldEdit does, so that both readers agree. A schematic
// that is larger than the bounds once written is an error.
func Encode(s *Schematic) ([]byte, error) {
	if n := volume(s.Width, s.Height, s.Length); n < 1 || n > MaxPositions || int(n) != len(s.blocks) {
		return nil, fmt.Errorf("%d × %d × %d positions and %d blocks", s.Width, s.Height, s.Length, len(s.blocks))
	}
	offset := [3]int32{s.Offset.X, s.Offset.Y, s.Offset.Z}
	meta := &nbt.Compound{}
	if s.Name != "" {
		meta.Set("Name", nbt.String(s.Name))
	}
	for i, name := range weOffset {
		meta.Set(name, nbt.Int(offset[i]))
	}
	palette, data := &nbt.Compound{}, []byte{}
	for i, state := range s.palette {
		palette.Set(state, nbt.Int(i))
	}
	for _, index := range s.blocks {
		data = binary.AppendUvarint(data, uint64(index))
	}
	root := &nbt.Compound{}
	root.Set("Version", nbt.Int(version))
	root.Set("DataVersion", nbt.Int(s.DataVersion))
	root.Set("Metadata", meta)
	root.Set("Width", nbt.Short(uint16(s.Width)))
	root.Set("Height", nbt.Short(uint16(s.Height)))
	root.Set("Length", nbt.Short(uint16(s.Length)))
	root.Set("Offset", nbt.IntArray(offset[:]))
	root.Set("PaletteMax", nbt.Int(len(s.palette)))
	root.Set("Palette", palette)
	root.Set("BlockData", nbt.ByteArray(data))
	return pack(nbt.Encode("Schematic", root))
}

// pack writes one gzip member without name or time.
func pack(data []byte) ([]byte, error) {
	if len(data) > MaxUnpacked {
		return nil, fmt.Errorf("%d bytes unpacked", len(data))
	}
	var file bytes.Buffer
	w := gzip.NewWriter(&file)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if file.Len() > MaxPacked {
		return nil, fmt.Errorf("%d bytes packed", file.Len())
	}
	return file.Bytes(), nil
}
