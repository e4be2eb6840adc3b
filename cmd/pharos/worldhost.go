package main

import (
	"cmp"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// open takes the world of a folder, or makes a small flat one where there is none.
func (c worldConfig) open(folder string, files disk.FS) (*anvil.Host, error) {
	pack, err := blocks.Load(cmp.Or(c.Version, blocks.Default))
	if err != nil {
		return nil, err
	}
	return anvil.Open(anvil.Config{Files: files, Folder: folder, Pack: pack, Create: &anvil.Flat{Chunks: worldSize / 16}})
}

// How many blocks a new world has along each side, around its middle, and how many
// of them the area of a first project: around it there is something to be seen.
const (
	worldSize = 384
	worldArea = 128
)

// book opens the projects of a world. The first one of a new world has its middle.
func (c worldConfig) book(file string, h host.Host) (*project.Book, error) {
	owner, err := c.owner()
	if err != nil {
		return nil, err
	}
	info := h.Info()
	box := func(reach int32) geom.Box {
		return geom.Box{Min: geom.Pos{X: -reach, Y: info.MinY, Z: -reach}, Max: geom.Pos{X: reach - 1, Y: info.MaxY, Z: reach - 1}}
	}
	return project.Open(project.Config{
		Path: file, Bounds: box(30_000_000), LocalAutomation: c.AllowLocalAutomation, Owner: owner, Area: box(worldArea / 2), Pack: h.Blocks(),
	})
}
