package schem

import (
	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// palette reads which index stands for which state. The indexes are those from
// 0 to one below the number of entries, each once.
func (r *reader) palette() error {
	entries, err := needed[*nbt.Compound](r.root, "Palette", BadPalette)
	if err != nil {
		return err
	}
	n := entries.Len()
	if n == 0 {
		return fault.New(BadPalette, "Palette is empty")
	}
	if n > MaxPositions { // more than can stand anywhere, and each costs a look
		return fault.Newf(BadPalette, "Palette has %d entries, at most %d may be in it", n, MaxPositions)
	}
	most, there, err := member[nbt.Int](r.root, "PaletteMax", BadPalette)
	if err != nil {
		return err
	}
	if there && int(most) != n {
		return fault.Newf(BadPalette, "PaletteMax %d, %d entries", most, n)
	}
	written, err := byIndex(entries)
	if err != nil {
		return err
	}
	r.listed, err = r.states(written)
	return err
}

// byIndex orders the states, as they are written, by their indexes.
func byIndex(entries *nbt.Compound) ([]string, error) {
	n := entries.Len()
	ordered, taken := make([]string, n), make([]bool, n)
	for name, tag := range entries.All() {
		index, ok := tag.(nbt.Int)
		if !ok {
			return nil, fault.Newf(BadPalette, "the palette index of %q has type %v, not int", shown(name), tag.Kind())
		}
		switch {
		case index < 0 || int(index) >= n:
			return nil, fault.Newf(BadPalette, "palette index %d of %q is not one of 0 to %d", index, shown(name), n-1)
		case taken[index]:
			return nil, fault.Newf(BadPalette, "palette index %d of %q is that of %q too", index, shown(ordered[index]), shown(name))
		}
		ordered[index], taken[index] = name, true
	}
	return ordered, nil
}

// states makes the states canonical. All of them are looked at, so that the
// message can tell how many are not allowed.
func (r *reader) states(written []string) ([]string, error) {
	states := make([]string, len(written))
	refused, first := 0, error(nil)
	for i, text := range written {
		state, err := r.pack.Exact(text)
		if err == nil && !(r.options.StructureVoid && state == structureVoid) {
			err = r.pack.Allowed(r.options.Policy, state)
		}
		if err != nil {
			if refused++; refused == 1 {
				first = err // it has the state in it, made fit to be shown
			}
			continue
		}
		states[i] = state
	}
	if refused > 0 {
		return nil, fault.Newf(BadBlock, "%d of %d palette entries not allowed, e.g. %v", refused, len(written), first)
	}
	return states, nil
}

// blocks reads one palette index a position: unsigned numbers of seven bits a
// byte, the lowest first, in the shortest form.
func (r *reader) blocks() error {
	data, err := needed[nbt.ByteArray](r.root, "BlockData", BadBlocks)
	if err != nil {
		return err
	}
	want := r.into.Width * r.into.Height * r.into.Length
	states, count := make([]string, 0, want), 0
	for at := 0; at < len(data); count++ {
		index, size := varint(data[at:])
		if size == 0 || index >= len(r.listed) {
			return fault.Newf(BadBlocks, "BlockData varint %d is no index of the palette's %d entries", count, len(r.listed))
		}
		if at += size; count < want {
			states = append(states, r.listed[index])
		}
	}
	if count != want {
		return fault.Newf(BadBlocks, "BlockData has %d of %d positions", count, want)
	}
	r.into.fill(states)
	return nil
}

// varint reads one number of at most three bytes, which is more than any
// palette within MaxTags needs. The size is 0 where there is none.
func varint(data []byte) (value, size int) {
	for i, b := range data[:min(len(data), 3)] {
		value |= int(b&0x7f) << (7 * i)
		if b < 0x80 {
			if b == 0 && i > 0 {
				return 0, 0 // a longer form than needed
			}
			return value, i + 1
		}
	}
	return 0, 0
}
