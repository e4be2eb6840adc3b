package operation

import (
	"cmp"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// order lists the places of changes file by file, chunk by chunk and then by
// position, so that a slice is written into as few files as can be.
func order(changes []journal.Change) []int {
	places := make([]int, len(changes))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		p, q := changes[a].Pos, changes[b].Pos
		return cmp.Or(
			cmp.Compare(p.Z>>9, q.Z>>9), cmp.Compare(p.X>>9, q.X>>9),
			cmp.Compare(p.Z>>4, q.Z>>4), cmp.Compare(p.X>>4, q.X>>4),
			cmp.Compare(a, b),
		)
	})
	return places
}

// pick takes the next slice from what is left: its places, ascending, and the
// box that holds them. Every chunk of the box is one that the plan changes: what
// lies between two of its blocks may not exist, and nobody has asked for it.
func (j *job) pick() ([]int, geom.Box) {
	at := func(i int) geom.Box {
		p := j.plan.Changes[j.left[i]].Pos
		return geom.Box{Min: p, Max: p}
	}
	n, box := 1, at(0)
	for most := min(len(j.left), j.blocks); n < most; n++ {
		more := box.Union(at(n))
		if !j.covers(box, more) {
			break
		}
		box = more
	}
	picked := slices.Clone(j.left[:n])
	slices.Sort(picked)
	return picked, box
}

// covers tells that the plan changes something in every chunk of a box, of which
// that is known for a smaller one.
func (j *job) covers(known, box geom.Box) bool {
	corners := func(b geom.Box) [4]int32 { return [4]int32{b.Min.X >> 4, b.Min.Z >> 4, b.Max.X >> 4, b.Max.Z >> 4} }
	c := corners(box)
	if c == corners(known) {
		return true
	}
	if (int64(c[2])-int64(c[0])+1)*(int64(c[3])-int64(c[1])+1) > int64(len(j.chunks)) {
		return false // without counting them one by one
	}
	return !slices.ContainsFunc(host.ChunksOf(box), func(c host.ChunkPos) bool {
		_, ok := j.chunks[c]
		return !ok
	})
}

// chunkOf is the chunk that a position is in.
func chunkOf(p geom.Pos) host.ChunkPos { return host.ChunkPos{X: p.X >> 4, Z: p.Z >> 4} }
