package java_test

import (
	"net"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/java"
)

type measured struct {
	name  string
	world java.World
}

// worlds are those that a server is measured over.
func worlds(b *testing.B) []measured {
	b.Helper()
	folder := b.TempDir()
	files, err := disk.In(folder)
	must(b, err)
	b.Cleanup(func() { files.Close() })
	onDisk, err := anvil.Open(anvil.Config{
		Files: files, Folder: folder, Pack: pack(b), Create: &anvil.Flat{Chunks: 20}, Chunks: 400,
	})
	must(b, err)
	b.Cleanup(func() { onDisk.Close() })
	return []measured{{"memory", memory.New(memory.Config{Pack: pack(b)})}, {"anvil", onDisk}}
}

// listen serves a world for as long as a benchmark takes.
func listen(b *testing.B, world java.World) *site {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	return serve(b, world, l, java.Config{View: 8}, java.Options{})
}

// BenchmarkJoin is the time until a client has its 289 chunks.
func BenchmarkJoin(b *testing.B) {
	for _, m := range worlds(b) {
		b.Run(m.name, func(b *testing.B) {
			s := listen(b, m.world)
			for b.Loop() {
				c := s.join(b, "Ada")
				c.fill(289)
				c.conn.Close()
			}
		})
	}
}

// BenchmarkChanges is the time until a client shows 4,096 blocks of an edit.
func BenchmarkChanges(b *testing.B) {
	for _, m := range worlds(b) {
		b.Run(m.name, func(b *testing.B) {
			s := listen(b, m.world)
			c := s.join(b, "Ada")
			c.fill(289)
			box := geom.Box{Min: pos(-8, 65, -8), Max: pos(7, 80, 7)}
			states := [2]string{"minecraft:stone", "minecraft:oak_planks"}
			for n := 0; b.Loop(); n++ {
				_ = c.conn.SetDeadline(time.Now().Add(patience))
				c.seen.shown = c.seen.shown[:0]
				_, err := m.world.Edit(b.Context(), byOther, box, func(w host.Writer) error {
					for at := range box.Positions() {
						if err := w.Set(at, states[n%2]); err != nil {
							return err
						}
					}
					return nil
				})
				must(b, err)
				for len(c.seen.shown) < 4096 {
					c.next("multi_block_change")
				}
			}
		})
	}
}

// fill waits for so many chunks.
func (c *client) fill(chunks int) {
	c.t.Helper()
	for len(c.seen.chunks) < chunks {
		c.next("chunk_batch_finished")
	}
}
