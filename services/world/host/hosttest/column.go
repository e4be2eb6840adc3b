package hosttest

import (
	"errors"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// testColumn: a whole chunk is what a view has of it, at a revision, and belongs
// to the caller.
func testColumn(t *testing.T, w World) {
	columns, ok := w.Host.(host.Columns)
	if !ok {
		t.Skip("the host gives no whole chunks")
	}
	info := w.Host.Info()
	for i, p := range []geom.Pos{pos(-1, info.MinY, -16), pos(-16, info.MaxY, -1), pos(-7, above, -7), pos(-7, above+1, -7)} {
		if _, err := w.Host.Edit(t.Context(), host.Cause{Kind: host.ByOther}, geom.Box{Min: p, Max: p}, func(e host.Writer) error {
			return e.Set(p, []string{stone, log, dirt, log}[i])
		}); err != nil {
			t.Fatal(err)
		}
	}
	at := host.ChunkPos{X: -1, Z: -1}
	first, err := columns.Column(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	for i := range first.Sections {
		clear(first.Sections[i].Palette)
		clear(first.Sections[i].Cells)
	}
	c, err := columns.Column(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	if c.Pos != at || c.MinY != info.MinY || len(c.Sections) != int(info.MaxY-info.MinY+1)/16 {
		t.Errorf("column %v from %d with %d sections", c.Pos, c.MinY, len(c.Sections))
	}
	box := geom.Box{Min: pos(-16, info.MinY, -16), Max: pos(-1, info.MaxY, -1)}
	wrong := 0
	if err := w.Host.View(t.Context(), box, func(r host.Reader) error {
		if c.Revision != r.Revision() {
			t.Errorf("the column is of revision %d, the world of %d", c.Revision, r.Revision())
		}
		for p := range box.Positions() {
			s := &c.Sections[(p.Y-info.MinY)/16]
			if s.At(int(p.X&15), int(p.Y&15), int(p.Z&15)) != r.At(p) {
				wrong++
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if wrong > 0 {
		t.Errorf("%d positions of the column are others in a view", wrong)
	}
	var missing *host.NotGenerated
	if _, err := columns.Column(t.Context(), w.Missing); !errors.As(err, &missing) {
		t.Errorf("a column of a chunk that is not there: %v", err)
	}
}
