package anvil_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
)

// TestSave: whatever anybody changed outlives a loss of power once it is saved, in
// every region file, and nothing that was not.
//
// clause: W-24
func TestSave(t *testing.T) {
	t.Parallel()
	d := made(t)
	h := open(t, config(t, d))
	for _, p := range places {
		set(t, h, p, states[1])
	}
	must(t, h.Save(t.Context()))
	set(t, h, geom.Pos{X: 1, Y: 71, Z: 1}, states[1])
	after, err := anvil.Open(config(t, d.Crash()))
	must(t, err)
	defer after.Close()
	box := geom.NewBox(places[0], geom.Pos{X: 1, Y: 71, Z: 1})
	must(t, after.View(t.Context(), box, func(r host.Reader) error {
		for _, p := range places {
			if got := r.At(p); got != states[1] {
				t.Errorf("at %s is %s after it was saved", p, got)
			}
		}
		if got := r.At(geom.Pos{X: 1, Y: 71, Z: 1}); got != states[0] {
			t.Errorf("what was not saved is %s", got)
		}
		return nil
	}))
	must(t, h.Save(t.Context())) // the rest, and then nothing
	must(t, h.Save(t.Context()))
}
