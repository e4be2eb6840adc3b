package worldtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// trial builds and exports with one sync left out, and looks after each step what
// harm a loss of power would do then.
type trial struct {
	testing.TB
	*machine
	store *journal.Store
	seeds uint64

	mu     sync.Mutex
	before map[string][]byte // the region files as somebody else left them
	ours   map[string]bool   // those whose content is known to be on the disk
	assets map[string]string // SHA-256 of what was exported, by its file
	harm   string
}

// crash looks at what is left after a loss of power, or some of that.
func (tr *trial) crash() {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.harm != "" {
		return
	}
	l, err := readLedger(tr.Context(), tr.store, nil)
	if err != nil {
		tr.harm = "the journal: " + err.Error()
		return
	}
	for seed := range tr.seeds + 1 {
		left := tr.disk.Crash()
		if seed > 0 {
			left = tr.disk.CrashSome(seed)
		}
		if tr.harm = tr.inspect(left, l); tr.harm != "" {
			return
		}
	}
}

// inspect says what is wrong with a disk, or "".
func (tr *trial) inspect(left *lossy.Disk, l *ledger) string {
	found := map[geom.Pos]string{}
	for name, before := range tr.before {
		if !tr.ours[name] {
			continue // whoever wrote it may lose it
		}
		now, err := disk.ReadFile(left, "region/"+name, 1<<26)
		if err == nil {
			err = readRegion(now, found)
		}
		if err != nil {
			return name + ": " + err.Error()
		}
		original, err := disk.ReadFile(left, "pharos/originals/region/"+name, 1<<26)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if !bytes.Equal(now, before) {
				return name + " has changed, and there is no original"
			}
		case err != nil:
			return err.Error()
		case !bytes.Equal(original, before):
			return "the original of " + name + " is not what it was"
		}
	}
	of := &ledger{allowed: map[geom.Pos][]string{}}
	for p, states := range l.allowed {
		if tr.ours[fmt.Sprintf("r.%d.%d.mca", p.X>>9, p.Z>>9)] {
			of.allowed[p] = states
		}
	}
	if wrong := of.wrong(found); wrong != "" {
		return wrong
	}
	for name, sum := range tr.assets {
		data, err := disk.ReadFile(left, name, 1<<20)
		if got := sha256.Sum256(data); err != nil || hex.EncodeToString(got[:]) != sum {
			return fmt.Sprintf("%s was exported and is lost: %v", name, err)
		}
	}
	return ""
}

// attempt is one trial. With skip 0 no sync is left out.
func attempt(t testing.TB, skip int, seeds uint64, links bool) (harm string, syncs []string) {
	t.Helper()
	tr := &trial{
		TB: t, machine: newMachine(t), seeds: seeds,
		before: map[string][]byte{}, ours: map[string]bool{}, assets: map[string]string{},
	}
	tr.store = journal.New(journal.Config{Pool: tr.pool, World: tr.world})
	for _, name := range []string{"r.-1.-1.mca", "r.0.0.mca"} {
		tr.before[name] = tr.sloppy(t, "region/"+name)
	}
	s, err := tr.open(t.Context())
	ok(t, err)
	if !links {
		tr.withoutLinks()
	}
	tr.each = tr.crash
	tr.disk.Skip(skip)
	tr.disk.Watch(func(step, name string) {
		if step == "sync" || step == "syncdir" {
			syncs = append(syncs, name)
		}
		if base, found := bytes.CutPrefix([]byte(name), []byte("region/")); found && step == "sync" {
			tr.mu.Lock()
			tr.ours[string(base)] = true
			tr.mu.Unlock()
		}
		tr.passed()
	})
	// Each slice is of one region file, so that no sync of the folder is for two.
	for n, block := range []string{"bricks", "stone"} {
		plan, err := s.prepare(t.Context(),
			box(geom.Pos{X: -16, Y: 64, Z: -16}, geom.Pos{X: -1, Y: 65, Z: -1}, "minecraft:"+block),
			box(geom.Pos{X: 0, Y: 64, Z: 0}, geom.Pos{X: 15, Y: 65, Z: 14}, "minecraft:"+block))
		ok(t, err)
		o, err := s.apply(t.Context(), fmt.Sprint("trial-", n), plan)
		ok(t, err)
		if o, err = s.wait(t.Context(), o); err != nil || o.text("status") != string(journal.Applied) {
			t.Fatal(o, err)
		}
	}
	a, err := s.call(t.Context(), "schematic_export", fields{
		"name": "trial", "min": at(geom.Pos{X: -3, Y: 63, Z: -3}), "max": at(geom.Pos{X: -1, Y: 66, Z: -1}),
	})
	ok(t, err)
	tr.assets["pharos/schematics/"+a.text("assetId")+".schem"] = a.text("sha256")
	tr.crash()
	made := slices.Clone(syncs)
	ok(t, s.close())
	return tr.harm, made
}

// TestEverySyncIsNeeded leaves out one sync after the other, and no loss of power
// may be without harm then; with all of them none does any.
//
// clause: W-17, W-20, W-24, W-35
func TestEverySyncIsNeeded(t *testing.T) {
	t.Parallel()
	seeds := uint64(2)
	if *long {
		seeds = 16
	}
	for name, links := range map[string]bool{"with links": true, "without links": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harm, syncs := attempt(t, 0, seeds, links)
			if harm != "" {
				t.Errorf("a loss of power does harm: %s", harm)
			}
			// Of each of two files: its own content and, where it is copied, that of
			// the copy, the copy's name, the new file's content and name; the latter two
			// for the second build; and two of what is exported.
			if want := map[bool]int{true: 14, false: 16}[links]; len(syncs) != want {
				t.Errorf("%d syncs, want %d: %q", len(syncs), want, syncs)
			}
			for n := range syncs {
				t.Run(fmt.Sprintf("without sync %d", n+1), func(t *testing.T) {
					t.Parallel()
					if harm, _ := attempt(t, n+1, seeds, links); harm == "" {
						t.Errorf("without the sync of %s no loss of power does harm", syncs[n])
					}
				})
			}
		})
	}
}
