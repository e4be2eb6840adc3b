package plan

import (
	"strconv"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Rendering is what a plan would change, for a model to read or a picture to be
// made of.
type Rendering struct {
	Region          geom.Box
	Removed, Placed []Count // states that go and that come, the most frequent first
	// Layers are the y that have changes. Their rows are "z: x=p*n …": at z, from x on
	// to the east, n times the state at the place p of Placed.
	Layers []Layer
}

// Render shows changes that are in the order of their positions, as a plan's are.
func Render(region geom.Box, changes []Change) Rendering {
	removed, placed := palette{}, palette{}
	for _, c := range changes {
		removed[c.Before]++
		placed[c.After]++
	}
	r := Rendering{Region: region, Removed: removed.counts(), Placed: placed.counts()}
	at := places(r.Placed)
	for first := 0; first < len(changes); {
		y, z := changes[first].Y, changes[first].Z
		if len(r.Layers) == 0 || r.Layers[len(r.Layers)-1].Y != y {
			r.Layers = append(r.Layers, Layer{Y: y})
		}
		row := strconv.AppendInt(nil, int64(z), 10)
		row = append(row, ':')
		for first < len(changes) && changes[first].Y == y && changes[first].Z == z {
			n := stretch(changes[first:])
			c := changes[first]
			row = strconv.AppendInt(append(row, ' '), int64(c.X), 10)
			row = append(append(row, '='), at[c.After]...)
			if n > 1 {
				row = strconv.AppendInt(append(row, '*'), int64(n), 10)
			}
			first += n
		}
		last := &r.Layers[len(r.Layers)-1]
		last.Rows = append(last.Rows, string(row))
	}
	return r
}

// stretch is how many of the changes lie side by side along x and place the
// same.
func stretch(changes []Change) int {
	n := 1
	for n < len(changes) {
		a, b := changes[n-1], changes[n]
		if b.Pos != a.Pos.Add(geom.Pos{X: 1}) || b.After != a.After {
			break
		}
		n++
	}
	return n
}
