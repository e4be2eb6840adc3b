package region_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// change is a rewriting that takes every way a chunk can take: inside to inside,
// out, back, outside to outside, new, and untouched.
type change struct{ before, after map[region.Pos][]byte }

func newChange() change {
	large := 1_100_000
	before := map[region.Pos][]byte{
		at(0, 0): noise(3000, 1), at(1, 0): noise(3000, 2), at(2, 0): noise(large, 3), at(3, 0): noise(large, 4),
		at(4, 0): noise(3000, 5), at(5, 0): noise(large, 6),
	}
	after := map[region.Pos][]byte{
		at(0, 0): noise(9000, 11), at(1, 0): noise(large, 12), at(2, 0): noise(3000, 13), at(3, 0): noise(large, 14),
		at(4, 0): before[at(4, 0)], at(5, 0): before[at(5, 0)], at(6, 0): noise(3000, 15),
	}
	return change{before, after}
}

func (c change) disk(t testing.TB) *lossy.Disk {
	d := newDisk(t, nil)
	rewrite(t, d, c.before)
	d.Sync()
	return d
}

// changed is what Rewrite is given.
func (c change) changed() map[region.Pos][]byte {
	given := map[region.Pos][]byte{}
	for p, raw := range c.after {
		if !bytes.Equal(raw, c.before[p]) {
			given[p] = raw
		}
	}
	return given
}

// check reads every chunk, which must be the one from before or after. Those of
// the region file itself are all from the same time.
func (c change) check(d disk.FS) (old, fresh int, err error) {
	f, err := region.Open(d, name)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	for p := range c.after {
		got, ok, err := f.Chunk(p)
		was, there := c.before[p]
		switch {
		case err != nil:
			return 0, 0, err
		case !ok && there:
			return 0, 0, fmt.Errorf("%v is gone", p)
		case ok && bytes.Equal(got, c.after[p]):
			fresh++
		case ok && !bytes.Equal(got, was):
			return 0, 0, fmt.Errorf("%v is neither", p)
		default:
			old++
		}
	}
	return old, fresh, nil
}

// The power goes after each step, with all, some or nothing of what was not
// synced left: every chunk is the old or the new one, and when Rewrite has
// returned it is the new one. The next opening and rewriting work.
//
// clause: W-24, W-35
func TestCrash(t *testing.T) {
	t.Parallel()
	c := newChange()
	d := c.disk(t)
	steps := 0
	d.Watch(func(step, file string) {
		steps++
		d := d
		if step == "write" && steps%4 != 0 { // there are many
			return
		}
		seeds := uint64(6)
		if step == "rename" { // of which any may be kept without those before it
			seeds = 24
		}
		for seed := range seeds {
			left := d.Crash()
			if seed > 0 {
				left = d.CrashSome(seed)
			}
			old, fresh, err := c.check(left)
			if err != nil {
				t.Fatalf("after step %d, %s of %s, seed %d: %v", steps, step, file, seed, err)
			}
			if step == "remove" && fresh != len(c.after) {
				t.Fatalf("at the end %d chunks are old", old)
			}
			if step != "rename" && step != "syncdir" || seed > 5 {
				continue
			}
			must(t, region.Clean(left, "region"))
			must(t, region.Rewrite(left, name, c.changed(), now))
			if old, fresh, err := c.check(left.Crash()); err != nil || old > 0 {
				t.Fatalf("rewritten after step %d, seed %d: %d old, %d new, %v", steps, seed, old, fresh, err)
			}
			if got := names(t, left); len(got) != 4 {
				t.Fatalf("rewritten after step %d, seed %d: the files are %v", steps, seed, got)
			}
		}
	})
	rewrite(t, d, c.changed())
	d.Watch(nil)
	if old, fresh, err := c.check(d.Crash()); err != nil || old > 0 {
		t.Errorf("in the end: %d old, %d new, %v", old, fresh, err)
	}
	if steps < 12 {
		t.Errorf("%d steps", steps)
	}
}

// No sync is for nothing: leaving out any one of them can lose or tear a chunk.
func TestEverySyncIsNeeded(t *testing.T) {
	t.Parallel()
	c := newChange()
	count := c.disk(t)
	count.Skip(0)
	rewrite(t, count, c.changed())
	for skip := 1; skip <= count.Syncs(); skip++ {
		d := c.disk(t)
		d.Skip(skip)
		lost := false
		look := func() {
			for seed := range uint64(12) {
				left := d.Crash()
				if seed > 0 {
					left = d.CrashSome(seed)
				}
				_, _, err := c.check(left)
				lost = lost || err != nil
			}
		}
		d.Watch(func(step, _ string) {
			if step == "rename" || step == "syncdir" {
				look()
			}
		})
		rewrite(t, d, c.changed())
		d.Watch(nil)
		look()
		old, _, err := c.check(d.Crash())
		if lost = lost || err != nil || old > 0; !lost {
			t.Errorf("sync %d of %d is for nothing", skip, count.Syncs())
		}
	}
}

// A step that fails is told, and leaves what a crash there would.
func TestFailingSteps(t *testing.T) {
	t.Parallel()
	c := newChange()
	full := errors.New("no space left on device")
	for fail := 1; ; fail++ {
		d := c.disk(t)
		n := 0
		var failed string
		d.Refuse(func(step, file string) error {
			if step == "open" {
				return nil
			}
			if n++; n == fail {
				failed = step + " of " + file
				return full
			}
			return nil
		})
		err := region.Rewrite(d, name, c.changed(), now)
		if n < fail {
			must(t, err)
			return
		}
		if !errors.Is(err, full) {
			t.Errorf("%s failed: %v", failed, err)
		}
		d.Refuse(nil)
		if _, _, err := c.check(d); err != nil {
			t.Errorf("%s failed: %v", failed, err)
		}
		for _, n := range names(t, d) {
			if disk.IsTemporary(n) {
				t.Errorf("%s failed: %s is left", failed, n)
			}
		}
	}
}
