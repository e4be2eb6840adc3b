package anvil_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
)

// The blocks that the trials change, each in a region file of its own.
var (
	places = []geom.Pos{{X: -1, Y: 70, Z: -1}, {X: 0, Y: 70, Z: 0}}
	names  = []string{"r.-1.-1.mca", "r.0.0.mca"}
	states = []string{"minecraft:air", "minecraft:stone", "minecraft:oak_log[axis=x]"}
)

func content(d disk.FS, name string) ([]byte, error) { return disk.ReadFile(d, name, 1<<26) }

// sloppy writes a file anew and syncs its name alone, as a server may.
func sloppy(t *testing.T, d *lossy.Disk, name string) []byte {
	t.Helper()
	data, err := content(d, name)
	must(t, err)
	must(t, d.Remove(name))
	file, err := d.Create(name, 0o644)
	must(t, err)
	_, err = file.Write(data)
	must(t, err)
	must(t, file.Close())
	must(t, d.SyncDir("region"))
	return data
}

// trial edits and flushes twice, crashes after every step, and reports what harm
// any of the crashes does.
type trial struct {
	*testing.T
	seeds   int
	disk    *lossy.Disk
	before  [][]byte        // the region files as the server left them
	synced  map[string]bool // whether it is for us that they are whole
	flushed []int           // edits that Flush confirmed, of each place
	harm    string
}

func (tr *trial) crash() {
	for seed := range tr.seeds + 1 {
		after := tr.disk.Crash()
		if seed > 0 {
			after = tr.disk.CrashSome(uint64(seed))
		}
		if harm := tr.inspect(after); harm != "" && tr.harm == "" {
			tr.harm = harm
		}
	}
}

// inspect says what is wrong with a world after a crash, or "".
func (tr *trial) inspect(d *lossy.Disk) string {
	for i, name := range names {
		if !tr.synced["region/"+name] {
			continue
		}
		now, err := content(d, "region/"+name)
		if err != nil {
			return err.Error()
		}
		original, err := content(d, "pharos/originals/region/"+name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if !bytes.Equal(now, tr.before[i]) {
				return name + " has changed and the original is not there"
			}
		case err != nil:
			return err.Error()
		case !bytes.Equal(original, tr.before[i]):
			return "the original of " + name + " is not what the file was"
		}
	}
	h, err := anvil.Open(config(tr.T, d))
	if err != nil {
		return err.Error()
	}
	defer h.Close()
	for i, p := range places {
		if !tr.synced["region/"+names[i]] {
			continue
		}
		got := at(tr.T, h, p)
		n := tr.flushed[i]
		if got != states[n] && (n+1 == len(states) || got != states[n+1]) {
			return fmt.Sprintf("after %d flushes the block at %s is %q", n, p, got)
		}
		if beside := at(tr.T, h, p.Add(geom.Pos{Y: -6})); beside != host.Flat(host.Surface) {
			return fmt.Sprintf("the block below %s is %q", p, beside)
		}
	}
	return ""
}

// attempt runs the trial with one sync left out, counted from the first of the
// first Flush; with 0 none is.
func attempt(t *testing.T, skip, seeds int, links bool) (harm string, syncs int) {
	t.Helper()
	tr := &trial{T: t, seeds: seeds, disk: lossy.New(), synced: map[string]bool{}, flushed: make([]int, len(places))}
	made, err := anvil.Open(config(t, tr.disk))
	must(t, err)
	must(t, made.Close())
	tr.disk.Sync()
	for _, name := range names {
		tr.before = append(tr.before, sloppy(t, tr.disk, "region/"+name))
	}
	h, err := anvil.Open(config(t, tr.disk))
	must(t, err)
	if !links {
		tr.disk.Refuse(func(step, _ string) error {
			if step == "link" {
				return syscall.EPERM
			}
			return nil
		})
	}
	tr.disk.Skip(skip)
	tr.disk.Watch(func(step, name string) {
		if step == "sync" {
			tr.synced[name] = true
		}
		tr.crash()
	})
	for _, state := range states[1:] {
		for _, p := range places {
			set(t, h, p, state)
		}
		for i, p := range places { // one after the other, so that no sync of the folder is for both
			must(t, h.Flush(t.Context(), []host.ChunkPos{{X: p.X >> 4, Z: p.Z >> 4}}))
			tr.flushed[i]++
			tr.crash()
		}
	}
	return tr.harm, tr.disk.Syncs()
}

// TestPowerIsLost crashes a world at every step of a flush, and shows that each
// sync of a file or a folder is needed.
//
// clause: W-24, W-35
func TestPowerIsLost(t *testing.T) {
	t.Parallel()
	for name, links := range map[string]bool{"with links": true, "without links": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harm, syncs := attempt(t, 0, 8, links)
			if harm != "" {
				t.Errorf("a crash does harm: %s", harm)
			}
			// Of each of two files: its own content and, where it is copied, that of
			// the copy, the copy's name, the new file's content and name; and the
			// latter two for the second flush.
			if want := map[bool]int{true: 12, false: 14}[links]; syncs != want {
				t.Errorf("%d syncs, want %d", syncs, want)
			}
			for n := 1; n <= syncs; n++ {
				if harm, _ := attempt(t, n, 8, links); harm == "" {
					t.Errorf("without the sync %d no crash does harm", n)
				}
			}
		})
	}
}

// TestPowerIsLostAtTheBeginning crashes a world that is being made. It is made
// again by the next process, and from then on is the same one.
func TestPowerIsLostAtTheBeginning(t *testing.T) {
	t.Parallel()
	d := lossy.New()
	var open *anvil.Host
	crash := func() {
		for seed := range uint64(5) {
			after := d.Crash()
			if seed > 0 {
				after = d.CrashSome(seed)
			}
			h, err := anvil.Open(config(t, after))
			if err != nil {
				t.Fatalf("a world that was not finished does not open: %v", err)
			}
			if open != nil && h.Info() != open.Info() {
				t.Fatalf("the world is %v, and was %v", h.Info(), open.Info())
			}
			for _, p := range places {
				if got := at(t, h, p); got != states[0] {
					t.Fatalf("the block at %s is %q", p, got)
				}
			}
			if _, err := after.Stat("pharos/creating"); err == nil {
				t.Fatal("the mark of a world that is not finished stays")
			}
			must(t, h.Close())
		}
	}
	d.Watch(func(string, string) { crash() })
	h, err := anvil.Open(config(t, d))
	must(t, err)
	d.Watch(nil)
	open = h
	crash()
}

// TestDiskIsFull has each step of a flush fail once. What is in memory stays, the
// disk has the old or the new, and the next flush succeeds.
func TestDiskIsFull(t *testing.T) {
	t.Parallel()
	chunks := []host.ChunkPos{{}, {X: -1, Z: -1}}
	failed := 0
	for step, tried := 1, true; tried; step++ {
		d := lossy.New()
		h := open(t, config(t, d))
		d.Sync()
		for _, p := range places {
			set(t, h, p, states[1])
		}
		count, what := 0, ""
		d.Refuse(func(op, name string) error {
			if count++; count == step {
				what = op + " " + name
				return syscall.ENOSPC
			}
			return nil
		})
		err := h.Flush(t.Context(), chunks)
		tried = count >= step
		if err != nil {
			failed++
		}
		// A link that fails is made up for by a copy; all else is an error.
		if wantErr := tried && !strings.HasPrefix(what, "link"); wantErr != errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s on a full disk: %v", what, err)
		}
		d.Refuse(nil)
		for _, p := range places {
			if got := at(t, h, p); got != states[1] {
				t.Errorf("%s on a full disk: the block at %s is %q in memory", what, p, got)
			}
			if got := at(t, open(t, config(t, d.Crash())), p); got != states[1] && (err == nil || got != states[0]) {
				t.Errorf("%s on a full disk: the block at %s is %q on the disk", what, p, got)
			}
		}
		must(t, h.Flush(t.Context(), chunks))
		for _, p := range places {
			if got := at(t, open(t, config(t, d.Crash())), p); got != states[1] {
				t.Errorf("%s on a full disk: the block at %s is %q after the next flush", what, p, got)
			}
		}
		if name := leftover(d); name != "" {
			t.Errorf("%s on a full disk: %s is left", what, name)
		}
	}
	if failed < 15 {
		t.Errorf("%d steps failed, and a flush of two files has more", failed)
	}
}

// leftover names a temporary file.
func leftover(d disk.FS) string {
	for _, folder := range []string{".", "region", "pharos", "pharos/originals/region"} {
		entries, _ := d.ReadDir(folder)
		for _, e := range entries {
			if disk.IsTemporary(e.Name()) {
				return folder + "/" + e.Name()
			}
		}
	}
	return ""
}
