package operation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// mask lists the places of what an operation wrote by its confirmed slices, and
// with open also of what its unfinished slice may have written (W-21). Skipped
// positions are in neither.
func (e *Engine) mask(ctx context.Context, o journal.Operation, open bool) ([]int, error) {
	all, err := e.Journal.Slices(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	var places []int
	for _, s := range all {
		if s.Confirmed {
			places = append(places, s.Written...)
		} else if open {
			places = append(places, s.Intent...)
		}
	}
	slices.Sort(places)
	return slices.Compact(places), nil
}

// Digest is the SHA-256, in lower-case hexadecimal digits, of what stands at
// positions: a line "x y z state" for each.
func Digest(positions []geom.Pos, states []string) string {
	h := sha256.New()
	for i, p := range positions {
		fmt.Fprintf(h, "%s %s\n", p, states[i])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// places are the positions of changes.
func places(changes []journal.Change) iter.Seq[geom.Pos] {
	return func(yield func(geom.Pos) bool) {
		for _, c := range changes {
			if !yield(c.Pos) {
				return
			}
		}
	}
}
