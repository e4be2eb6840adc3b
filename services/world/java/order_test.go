package java_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java"
)

// TestOrder: whatever changes while chunks are on their way, and while a player
// walks them in and out of sight, the client shows what stands in the world.
// Each state follows from the one before, so one that came late or in no order
// stays to be seen.
//
// clause: W-18
func TestOrder(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	p := pack(t)
	low, high := pos(-48, 65, -48), pos(63, 66, 63)
	turns := make(chan struct{}, 1000) // of the writers: as many as the clients keep up with
	var writers sync.WaitGroup
	for n := range uint64(4) {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(1, n))
			for range turns {
				at := pos(low.X+random.Int32N(112), 65+random.Int32N(2), low.Z+random.Int32N(112))
				box := geom.Box{Min: at, Max: at.Add(pos(random.Int32N(3), 0, random.Int32N(3)))}
				_, err := s.world.Edit(t.Context(), byOther, box, func(w host.Writer) error {
					for at := range box.Positions() {
						now, _ := p.ID(w.At(at))
						next, _ := p.State((now + 1 + random.Int32N(5)) % int32(p.Count()))
						if err := w.Set(at, next); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	var clients sync.WaitGroup
	players := []*client{s.join(t, "a"), s.join(t, "b"), s.join(t, "c")}
	for i, c := range players {
		clients.Go(func() {
			random := rand.New(rand.NewPCG(2, uint64(i)))
			for n := range int32(40) {
				x, z := 8+16*float64(random.IntN(3)-1), 8+16*float64(random.IntN(3)-1)
				c.send(c.packet("position").Double(x).Double(65).Double(z).Bool(true))
				for range 50 {
					turns <- struct{}{}
				}
				c.settle(n)
			}
			c.send(c.packet("position").Double(8).Double(65).Double(8).Bool(true))
			c.settle(1000)
		})
	}
	clients.Wait()
	close(turns)
	writers.Wait()
	for _, c := range players {
		for n := int32(2000); len(c.seen.chunks) < 25 || n < 2002; n++ {
			c.settle(n) // what was on its way when the writers ended has come
		}
		wrong := 0
		box := geom.Box{Min: low, Max: high.Add(pos(2, 0, 2))}
		must(t, s.world.View(t.Context(), box, func(r host.Reader) error {
			for at := range box.Positions() {
				if got := c.seen.at(at); got >= 0 && got != id(t, r.At(at)) {
					wrong++
				}
			}
			return nil
		}))
		if wrong > 0 {
			t.Errorf("a client shows %d blocks that are others in the world", wrong)
		}
		if len(c.seen.shown) < 100 {
			t.Errorf("only %d changes came", len(c.seen.shown))
		}
	}
}
