package schem

import (
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// metadata reads the name and refuses mods. Everything else in it is free, and
// nothing of ours but the offset.
func (r *reader) metadata() error {
	meta, there, err := member[*nbt.Compound](r.root, "Metadata", BadField)
	if err != nil || !there {
		return err
	}
	if name, ok := nbt.Get[nbt.String](meta, "Name"); ok && ValidName(string(name)) {
		r.into.Name = string(name)
	}
	mods, _, err := member[nbt.List](meta, "RequiredMods", BadField)
	if err != nil {
		return err
	}
	if len(mods.Items) == 0 {
		return nil
	}
	var names []string
	for _, mod := range mods.Items {
		if len(names) == 10 {
			names = append(names, "…")
			break
		}
		name, _ := mod.(nbt.String)
		names = append(names, shown(string(name)))
	}
	return fault.Newf(NeedsMods, "it requires mods [%s]", strings.Join(names, " "))
}

// weOffset are the names under which WorldEdit keeps the offset.
var weOffset = [3]string{"WEOffsetX", "WEOffsetY", "WEOffsetZ"}

// offset is WorldEdit's where all three of its numbers are there: its files
// have the place in the world they came from in Offset.
func (r *reader) offset() error {
	plain, there, err := member[nbt.IntArray](r.root, "Offset", BadOffset)
	if err != nil {
		return err
	}
	if there {
		if len(plain) != 3 {
			return fault.Newf(BadOffset, "Offset has %d numbers, not 3", len(plain))
		}
		r.into.Offset = geom.Pos{X: plain[0], Y: plain[1], Z: plain[2]}
	}
	meta, ok := nbt.Get[*nbt.Compound](r.root, "Metadata")
	if !ok {
		return nil
	}
	complete, own := true, [3]nbt.Int{}
	for i, name := range weOffset {
		if own[i], there, err = member[nbt.Int](meta, name, BadOffset); err != nil {
			return err
		}
		complete = complete && there
	}
	if complete {
		r.into.Offset = geom.Pos{X: int32(own[0]), Y: int32(own[1]), Z: int32(own[2])}
	}
	return nil
}

// MaxName is how many characters a name has at most.
const MaxName = 64

// ValidName reports whether a name is one to MaxName printable characters.
func ValidName(name string) bool {
	return name != "" && utf8.ValidString(name) && utf8.RuneCountInString(name) <= MaxName && printable(name)
}
