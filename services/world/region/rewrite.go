package region

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
)

// Rewrite replaces a region file, or makes it, with these chunks changed or
// added: unpacked bytes by place. When it returns nil the new file is on the
// disk. When it returns an error the name may lead to the old or to the new one.
//
// A chunk keeps the compression that it had; new ones get zlib, as the game
// does. What cannot be read stays as it is: sectors that two chunks share are
// given to both, and a place that the file does not have stays one.
func Rewrite(layer disk.FS, name string, changed map[Pos][]byte, now time.Time) (err error) {
	old, err := Open(layer, name)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = nothing(layer, name)
	}
	if err != nil {
		return err
	}
	if old.file != nil {
		defer func() { err = errors.Join(err, old.Close()) }()
	}
	w := &rewriter{File: old, name: name, now: uint32(now.Unix())}
	if err := w.packAll(changed); err != nil {
		return err
	}
	if err := w.writeOutside(); err != nil {
		return err
	}
	if err := w.replace(); err != nil {
		return err
	}
	return w.removeOutside()
}

// mode is that of new files.
const mode = 0o644

// nothing is a region without a file.
func nothing(layer disk.FS, name string) (*File, error) {
	first, _ := First(name)
	return &File{layer: layer, folder: path.Dir(name), first: first, header: &header{}, perm: mode}, nil
}

// rewriter is one Rewrite.
type rewriter struct {
	*File
	name    string
	now     uint32
	changed [slots]*packed
	buffer  []byte
}

func (w *rewriter) packAll(changed map[Pos][]byte) error {
	for p := range changed {
		if !w.owns(p) {
			return fmt.Errorf("chunk %v is not of %s", p, path.Base(w.name))
		}
	}
	bySlot := func(p, q Pos) int { return cmp.Compare(p.slot(), q.slot()) }
	for _, p := range slices.SortedFunc(maps.Keys(changed), bySlot) {
		raw := changed[p]
		if len(raw) == 0 || len(raw) > MaxChunk {
			return fmt.Errorf("chunk %v has %d bytes", p, len(raw))
		}
		by, err := w.schemeOf(p)
		if err != nil {
			return err
		}
		data, err := by.pack(raw)
		if err != nil {
			return err
		}
		if len(data) > MaxChunk {
			return fmt.Errorf("chunk %v has %d bytes packed", p, len(data))
		}
		w.changed[p.slot()] = &packed{p, by, data}
	}
	return nil
}

// schemeOf is the compression of the chunk as it stands.
func (w *rewriter) schemeOf(p Pos) (scheme, error) {
	offset, length := w.header.places[p.slot()].stored(w.size)
	if length < prefix {
		return byZlib, nil
	}
	var b [prefix]byte
	if err := w.read(b[:], offset); err != nil {
		return 0, &Error{p, err}
	}
	by := scheme(b[4]) &^ outside
	if !by.known() {
		return 0, &Error{p, fmt.Errorf("compression %d is not replaced", by)}
	}
	return by, nil
}

// replace writes the new region under another name, syncs it, and has it take
// the place of the old one.
func (w *rewriter) replace() error {
	file, err := disk.CreateTemporary(w.layer, w.name, w.perm)
	if err != nil {
		return err
	}
	err = w.write(file)
	if err == nil {
		crashpoint.At(crashpoint.RegionWritten)
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		crashpoint.At(crashpoint.RegionSynced)
	}
	if err := w.settle(w.name, err); err != nil {
		return err
	}
	crashpoint.At(crashpoint.RegionRenamed)
	return w.layer.SyncDir(w.folder)
}

// write writes the whole region.
func (w *rewriter) write(file disk.File) error {
	next := w.layout()
	out := bufio.NewWriterSize(file, 1<<18)
	if _, err := out.Write(next.bytes()); err != nil {
		return err
	}
	for slot, p := range w.changed {
		if p == nil {
			if err := w.copy(out, slot); err != nil {
				return err
			}
			continue
		}
		if err := p.write(out); err != nil {
			return err
		}
		crashpoint.At(crashpoint.ChunkWritten)
	}
	return out.Flush()
}

// layout is the header of the new region, whose chunks stand in the order of
// their slots without gaps.
func (w *rewriter) layout() *header {
	next := &header{times: w.header.times}
	end := int64(headerSize / sector)
	for slot, p := range w.changed {
		count := int64(0)
		if p != nil {
			count = p.sectors()
			next.times[slot] = w.now
		} else {
			_, length := w.header.places[slot].stored(w.size)
			count = (length + sector - 1) / sector
		}
		if count > 0 {
			next.places[slot] = newPlace(end, count)
			end += count
		}
	}
	for slot, at := range w.header.places {
		if next.places[slot] == 0 && at != 0 { // odd, and as odd as before
			next.places[slot] = at
			if at.first() >= 2 && at.count() > 0 {
				next.places[slot] = newPlace(max(at.first(), end), at.count())
			}
		}
	}
	return next
}

// copy writes the sectors of a chunk that did not change.
func (w *rewriter) copy(out *bufio.Writer, slot int) error {
	offset, length := w.header.places[slot].stored(w.size)
	if length == 0 {
		return nil
	}
	whole := (length + sector - 1) / sector * sector
	w.buffer = slices.Grow(w.buffer[:0], int(whole))[:whole]
	clear(w.buffer[length:])
	if err := w.read(w.buffer[:length], offset); err != nil {
		return err
	}
	_, err := out.Write(w.buffer)
	return err
}
