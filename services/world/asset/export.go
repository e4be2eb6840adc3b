package asset

import (
	"context"
	"fmt"
	"math"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// Export is a box of the world that becomes a file, and what the project allows.
type Export struct {
	Name      string
	Box       geom.Box
	Origin    *geom.Pos // what an import puts on its target; nil for the box's Min
	Area      geom.Box
	MaxBlocks int // never more than schem.MaxPositions
	Options   schem.Options
}

// Export writes a box of the world to a new file. Errors of the host are
// returned as they are.
func (f *Folder) Export(ctx context.Context, world host.Host, e Export) (Asset, error) {
	id, err := IDFor(e.Name)
	if err != nil {
		return Asset{}, err
	}
	offset, err := e.check()
	if err != nil {
		return Asset{}, err
	}
	if err := f.free(id); err != nil { // before anything is read; add looks again
		return Asset{}, err
	}
	states, err := f.states(ctx, world, e)
	if err != nil {
		return Asset{}, err
	}
	x, y, z := e.Box.Size()
	s, err := schem.New(int(x), int(y), int(z), states)
	if err != nil {
		return Asset{}, err
	}
	s.DataVersion, s.Offset, s.Name = f.pack.DataVersion(), offset, e.Name
	data, err := schem.Encode(s)
	if err != nil {
		return Asset{}, err
	}
	if s, err = schem.Decode(data, f.pack, e.Options); err != nil {
		return Asset{}, fmt.Errorf("what was written cannot be read: %v", err) // our mistake, so no fault
	}
	if err := f.add(id, data); err != nil {
		return Asset{}, err
	}
	return describe(id, data, s), nil
}

// check looks at the box, and returns the way from the origin to its Min.
func (e Export) check() (geom.Pos, error) {
	switch most := min(e.MaxBlocks, schem.MaxPositions); {
	case !e.Area.Holds(e.Box):
		return geom.Pos{}, fault.Newf(OutOfBounds, "the box from %s to %s leaves the area from %s to %s",
			e.Box.Min, e.Box.Max, e.Area.Min, e.Area.Max)
	case e.Box.Volume() > int64(most):
		return geom.Pos{}, fault.Newf(TooMany, "the box has %d positions, at most %d may be exported: export it in parts",
			e.Box.Volume(), most)
	case e.Origin == nil:
		return geom.Pos{}, nil
	}
	low, origin := e.Box.Min, *e.Origin
	for _, d := range [3]int64{
		int64(low.X) - int64(origin.X), int64(low.Y) - int64(origin.Y), int64(low.Z) - int64(origin.Z),
	} {
		if d < math.MinInt32 || d > math.MaxInt32 {
			return geom.Pos{}, fault.New(fault.Invalid, "origin is too far away from the box")
		}
	}
	return low.Sub(origin), nil
}

// states reads the box. It refuses what a plan could not place again.
func (f *Folder) states(ctx context.Context, world host.Host, e Export) ([]string, error) {
	foreign, err := world.Foreign(ctx, e.Box)
	if err != nil {
		return nil, err
	}
	var entities, blocks refusal
	for _, thing := range foreign {
		if thing.Kind == "entity" {
			entities.add(thing.Pos, thing.ID)
		}
	}
	if entities.count > 0 {
		return nil, entities.err("entities", "an export has blocks alone, so they have to leave the box first")
	}
	states := make([]string, 0, e.Box.Volume())
	err = world.View(ctx, e.Box, func(r host.Reader) error {
		for p := range e.Box.Positions() {
			state := r.At(p)
			states = append(states, state)
			if occupied := r.Occupied(p); occupied != "" {
				blocks.add(p, state+" (block entity "+occupied+")")
			} else if err := f.pack.Allowed(e.Options.Policy, state); err != nil {
				blocks.add(p, err.Error())
			}
		}
		return nil
	})
	if err == nil && blocks.count > 0 {
		err = blocks.err("blocks", "a plan could not place them again")
	}
	return states, err
}

// refusal counts what may not be in an export, and keeps the first.
type refusal struct {
	count int
	first string
}

func (r *refusal) add(p geom.Pos, what string) {
	if r.count++; r.count == 1 {
		r.first = fmt.Sprintf("at %s: %s", p, what)
	}
}

func (r *refusal) err(kind, why string) error {
	return fault.Newf(UnsupportedBlock, "%d %s in the box cannot be exported, e.g. %s; %s", r.count, kind, r.first, why)
}
