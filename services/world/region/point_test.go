package region_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// The points at which the process is killed are passed, each where it says. The
// test is alone: points are the process's.
//
// clause: W-24
func TestPoints(t *testing.T) {
	c := newChange()
	d := c.disk(t)
	var passed []crashpoint.Point
	crashpoint.Arm(func(p crashpoint.Point) {
		if len(passed) == 0 || passed[len(passed)-1] != p {
			passed = append(passed, p)
		}
		killed, lost := renamed(d), renamed(d.Crash())
		if want := p == crashpoint.RegionRenamed; killed != want || lost {
			t.Errorf("at %q the new region is there: %v, after a loss of power: %v", p, killed, lost)
		}
		if got := slices.Contains(names(t, d), "r.-1.2.mca.pharos-new"); got != (p != crashpoint.RegionRenamed) {
			t.Errorf("at %q the temporary file is there: %v", p, got)
		}
	})
	defer crashpoint.Arm(nil)
	rewrite(t, d, c.changed())
	want := []crashpoint.Point{crashpoint.ChunkWritten, crashpoint.RegionWritten, crashpoint.RegionSynced, crashpoint.RegionRenamed}
	if diff := cmp.Diff(want, passed); diff != "" {
		t.Error(diff)
	}
}

// renamed reports whether the name leads to the new region: one with the chunk
// that was not there.
func renamed(d *lossy.Disk) bool {
	f, err := region.Open(d, name)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Has(at(6, 0))
}

// The same on a folder of the operating system.
func TestFolder(t *testing.T) {
	t.Parallel()
	d, err := disk.In(t.TempDir())
	must(t, err)
	defer d.Close()
	must(t, d.Mkdir("region", 0o755))
	c := newChange()
	must(t, region.Rewrite(d, name, c.before, now))
	must(t, region.Rewrite(d, name, c.changed(), now))
	if old, fresh, err := c.check(d); err != nil || old > 0 {
		t.Errorf("%d old, %d new, %v", old, fresh, err)
	}
	want := []string{"c.-27.64.mcc", "c.-29.64.mcc", "c.-31.64.mcc", "r.-1.2.mca"}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(names(t, d)))); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkRewrite replaces a full region of 8 MiB in which one chunk changed.
func BenchmarkRewrite(b *testing.B) {
	d, err := disk.In(b.TempDir())
	must(b, err)
	must(b, d.Mkdir("region", 0o755))
	all := map[region.Pos][]byte{}
	for z := range int32(32) {
		for x := range int32(32) {
			all[at(x, z)] = noise(6000, uint64(x<<5|z))
		}
	}
	must(b, region.Rewrite(d, name, all, now))
	changed := map[region.Pos][]byte{at(3, 3): noise(150_000, 1)}
	for b.Loop() {
		must(b, region.Rewrite(d, name, changed, now))
	}
}
