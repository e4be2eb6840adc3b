package worldtest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// This reader of region files shares nothing with those of the program but the
// file layer, and reads what the program writes into a small world: chunks of
// zlib within their region.

// differences are the blocks of a small world that are not as it was made.
func differences(files disk.FS) (map[geom.Pos]string, error) {
	found := map[geom.Pos]string{}
	for _, name := range []string{"r.-1.-1.mca", "r.0.-1.mca", "r.-1.0.mca", "r.0.0.mca"} {
		data, err := disk.ReadFile(files, "region/"+name, 1<<26)
		if err == nil {
			err = readRegion(data, found)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return found, nil
}

// readRegion adds what differs in a region, which must have four chunks.
func readRegion(data []byte, to map[geom.Pos]string) error {
	if len(data)%4096 != 0 || len(data) < 8192 {
		return fmt.Errorf("its length is %d", len(data))
	}
	count, used := 0, map[uint32]bool{0: true, 1: true}
	for slot := range 1024 {
		entry := binary.BigEndian.Uint32(data[4*slot:])
		if entry == 0 {
			continue
		}
		first, sectors := entry>>8, entry&0xff
		for s := first; s < first+sectors; s++ {
			if used[s] {
				return fmt.Errorf("sector %d is used twice", s)
			}
			used[s] = true
		}
		if int(first+sectors)*4096 > len(data) {
			return fmt.Errorf("chunk %d ends at sector %d, beyond the file", slot, first+sectors)
		}
		at := data[first*4096:]
		length := binary.BigEndian.Uint32(at)
		if length == 0 || length+4 > sectors*4096 || at[4] != 2 {
			return fmt.Errorf("chunk %d: length %d, compression %d", slot, length, at[4])
		}
		unpacked, err := zlib.NewReader(bytes.NewReader(at[5 : 4+length]))
		if err != nil {
			return fmt.Errorf("chunk %d: %w", slot, err)
		}
		text, err := io.ReadAll(unpacked) // with its checksum
		if err == nil {
			err = readChunk(text, to)
		}
		if err != nil {
			return fmt.Errorf("chunk %d: %w", slot, err)
		}
		count++
	}
	if count != 4 {
		return fmt.Errorf("it has %d chunks", count)
	}
	return nil
}

// readChunk adds what differs in a chunk.
func readChunk(text []byte, to map[geom.Pos]string) (err error) {
	defer func() {
		if r := recover(); r != nil { // from a tag that is not what it should be
			err = fmt.Errorf("%v", r)
		}
	}()
	in := &tags{text}
	if kind := in.byte(); kind != 10 {
		return fmt.Errorf("its root is of kind %d", kind)
	}
	in.text()
	root := in.value(10).(map[string]any)
	if len(in.rest) > 0 {
		return errors.New("something follows the root")
	}
	x, z := root["xPos"].(int32), root["zPos"].(int32)
	sections := root["sections"].([]any)
	if len(sections) != 24 {
		return fmt.Errorf("it has %d sections", len(sections))
	}
	for _, item := range sections {
		section := item.(map[string]any)
		low := int32(section["Y"].(int8)) * 16
		readSection(geom.Pos{X: x * 16, Y: low, Z: z * 16}, section["block_states"].(map[string]any), to)
	}
	return nil
}

func readSection(corner geom.Pos, states map[string]any, to map[geom.Pos]string) {
	var palette []string
	for _, entry := range states["palette"].([]any) {
		palette = append(palette, stateOf(entry.(map[string]any)))
	}
	data, _ := states["data"].([]int64)
	if data == nil && palette[0] == host.Flat(corner.Y) && (corner.Y < host.Surface-16 || corner.Y > host.Surface) {
		return // air above and below the ground
	}
	width := max(4, bits.Len(uint(len(palette)-1)))
	for i := range int32(4096) {
		state := palette[0]
		if data != nil {
			each := 64 / width
			state = palette[uint64(data[int(i)/each])>>(int(i)%each*width)&(1<<width-1)]
		}
		p := corner.Add(geom.Pos{X: i & 15, Y: i >> 8, Z: i >> 4 & 15})
		if state != host.Flat(p.Y) {
			to[p] = state
		}
	}
}

func stateOf(entry map[string]any) string {
	properties, _ := entry["Properties"].(map[string]any)
	var words []string
	for name, value := range properties {
		words = append(words, name+"="+value.(string))
	}
	slices.Sort(words)
	if words == nil {
		return entry["Name"].(string)
	}
	return entry["Name"].(string) + "[" + strings.Join(words, ",") + "]"
}

// tags reads NBT. It panics where that is not what it should be.
type tags struct{ rest []byte }

func (t *tags) take(n int) []byte {
	b := t.rest[:n]
	t.rest = t.rest[n:]
	return b
}

func (t *tags) byte() byte   { return t.take(1)[0] }
func (t *tags) int() int32   { return int32(binary.BigEndian.Uint32(t.take(4))) }
func (t *tags) long() int64  { return int64(binary.BigEndian.Uint64(t.take(8))) }
func (t *tags) text() string { return string(t.take(int(binary.BigEndian.Uint16(t.take(2))))) }

func (t *tags) value(kind byte) any {
	switch kind {
	case 1:
		return int8(t.byte())
	case 2:
		return t.take(2)
	case 3:
		return t.int()
	case 4:
		return t.long()
	case 5:
		return t.take(4)
	case 6:
		return t.take(8)
	case 7:
		return t.take(int(t.int()))
	case 8:
		return t.text()
	case 9:
		of := t.byte()
		list := []any{}
		for range t.int() {
			list = append(list, t.value(of))
		}
		return list
	case 10:
		compound := map[string]any{}
		for kind := t.byte(); kind != 0; kind = t.byte() {
			name := t.text()
			compound[name] = t.value(kind)
		}
		return compound
	case 11:
		return t.take(4 * int(t.int()))
	case 12:
		longs := make([]int64, t.int())
		for i := range longs {
			longs[i] = t.long()
		}
		return longs
	}
	panic(fmt.Sprintf("a tag of kind %d", kind))
}

// leftovers are the names of what was not finished, in the folders of a world.
func leftovers(files disk.FS) (names []string, err error) {
	for _, folder := range []string{".", "region", "pharos", "pharos/originals/region", "pharos/schematics"} {
		entries, err := files.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if disk.IsTemporary(e.Name()) {
				names = append(names, folder+"/"+e.Name())
			}
		}
	}
	return names, nil
}
