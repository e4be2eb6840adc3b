package worldtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// builds are two operations of some slices each, over four region files, and the
// second one over blocks of the first.
func (s *site) builds(ctx context.Context) error {
	for n, step := range []fields{
		box(geom.Pos{X: -8, Y: 64, Z: -8}, geom.Pos{X: 7, Y: 66, Z: 7}, "minecraft:bricks"),
		box(geom.Pos{X: -4, Y: 65, Z: -20}, geom.Pos{X: 3, Y: 68, Z: 3}, "minecraft:stone"),
	} {
		plan, err := s.prepare(ctx, step)
		if err != nil {
			return err
		}
		o, err := s.apply(ctx, fmt.Sprint("build-", n), plan)
		if err != nil {
			return err
		}
		if o, err = s.wait(ctx, o); err != nil || o.text("status") != "applied" {
			return fmt.Errorf("%v, %w", o, err)
		}
	}
	return nil
}

// TestPowerIsLostAtEveryStep takes the power away after each step of a disk or of
// the journal, with everything lost that was not synced, or with some of it.
//
// clause: W-17, W-20, W-21, W-22, W-23, W-24
func TestPowerIsLostAtEveryStep(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	s, err := m.open(t.Context())
	ok(t, err)
	m.start()
	ok(t, s.builds(t.Context()))
	steps := m.steps()
	ok(t, s.close())
	stride := 1
	if !*long {
		stride = steps / 16
	}
	t.Logf("%d steps, tried by %d", steps, stride)
	if steps < 80 {
		t.Errorf("%d steps, and two builds have more", steps)
	}
	for last := 1 + int(*seed)%stride; last <= steps; last += stride {
		t.Run(fmt.Sprintf("step %d", last), func(t *testing.T) {
			t.Parallel()
			for _, kept := range []uint64{0, uint64(last)} { // the seed of what is kept; 0: nothing
				m := newMachine(t)
				m.last = last
				s, err := m.open(t.Context())
				ok(t, err)
				m.start()
				done := make(chan error, 1)
				go func() { done <- s.builds(context.WithoutCancel(t.Context())) }()
				select {
				case <-m.gone:
				case err := <-done:
					t.Fatalf("there was no step %d: %v", last, err)
				}
				w := wreck{place: m.place, world: m.world, meddle: kept != 0}
				w.wrap = nil
				if w.files = m.disk.Crash(); kept != 0 {
					w.files = m.disk.CrashSome(kept)
				}
				w.inspect(t)
				close(m.release)
				_ = s.close() // of the dead
				<-done
			}
		})
	}
}
