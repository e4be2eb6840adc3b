package project

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// create writes a file with one project, all of it or none.
func create(c Config) error {
	within := geom.Box{
		Min: geom.Pos{X: max(c.Area.Min.X, c.Bounds.Min.X), Y: max(c.Area.Min.Y, c.Bounds.Min.Y), Z: max(c.Area.Min.Z, c.Bounds.Min.Z)},
		Max: geom.Pos{X: min(c.Area.Max.X, c.Bounds.Max.X), Y: min(c.Area.Max.Y, c.Bounds.Max.Y), Z: min(c.Area.Max.Z, c.Bounds.Max.Z)},
	}
	at := func(p geom.Pos) *position { return &position{&p.X, &p.Y, &p.Z} }
	all, most := words(permissions), MaxPlanBlocks
	classes := words(blocks.Building())
	text, err := json.MarshalIndent(document{
		Version: 1,
		Projects: []entry{{
			ID: "default", Owner: c.Owner.String(), Permissions: &all, Area: &area{at(within.Min), at(within.Max)}, MaxPlanBlocks: &most,
			Blocks: &blockList{Classes: &classes},
		}},
		Players: []visitor{{everybody, words(actions)}},
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(c.Path), ".projects-*") // of mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	err = os.Link(f.Name(), c.Path) // a file that has come meanwhile stays
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

func words[W ~string](list []W) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}
