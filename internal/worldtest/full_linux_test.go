package worldtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// tmpfs is a small disk until the test ends. Where none can be mounted the test
// fails: what happens on a full disk must be seen.
func tmpfs(t testing.TB, megabytes int) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("pharos-worldtest", folder, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Fatalf("a small disk is needed, which only root can mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// fill leaves so many bytes of a disk free.
func fill(t testing.TB, folder string, free int64) (empty func()) {
	t.Helper()
	name := filepath.Join(folder, "ballast")
	file, err := os.Create(name)
	ok(t, err)
	size := int64(0)
	for page := make([]byte, 4096); err == nil; size += 4096 {
		_, err = file.Write(page)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	ok(t, file.Truncate(max(0, size-4096-free)))
	ok(t, file.Close())
	return func() { _ = os.Remove(name) }
}

// TestWorldDiskIsFull: where region files cannot be written an operation waits
// for a decision and says why, nothing is half written, and all works again once
// there is room.
//
// clause: W-17, W-20, W-22, W-23, W-24
func TestWorldDiskIsFull(t *testing.T) {
	t.Parallel()
	for _, free := range []int64{0, 4096, 20_480, 65_536} {
		for _, restarted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d bytes free, restarted %t", free, restarted), func(t *testing.T) {
				t.Parallel()
				folder := tmpfs(t, 4)
				w := inWorld(t, folder, database(t))
				s, err := w.open(t.Context())
				ok(t, err)
				w.world = s.Host.Info().World
				empty := fill(t, folder, free)
				stuck := w.getsStuck(t, s)
				if restarted {
					if err := s.close(); err == nil {
						t.Error("a world closed that was not on the disk")
					}
					s, err = w.open(t.Context()) // which a full disk does not prevent
					ok(t, err)
					o, err := s.call(t.Context(), "operation_status", fields{"operation_id": stuck})
					if err != nil || o.text("status") != "recovery_required" {
						t.Errorf("after the start: %v, %v", o, err)
					}
					ok(t, s.close())
					empty()
					w.inspect(t)
					return
				}
				w.getsFree(t, s, stuck, empty)
				ok(t, s.close())
				w.reopened(t)
			})
		}
	}
}

// getsStuck builds on a full disk.
func (w *wreck) getsStuck(t *testing.T, s *site) (stuck string) {
	t.Helper()
	ctx := t.Context()
	plan, err := s.prepare(ctx, box(geom.Pos{X: -10, Y: 63, Z: -10}, geom.Pos{X: 9, Y: 66, Z: 9}, "minecraft:bricks"))
	ok(t, err)
	other, err := s.prepare(ctx, box(geom.Pos{X: 20, Y: 70, Z: 20}, geom.Pos{X: 21, Y: 70, Z: 20}, "minecraft:bricks"))
	ok(t, err)
	o, err := s.apply(ctx, "stuck", plan)
	ok(t, err)
	if o, err = s.wait(ctx, o); err != nil || o.text("status") != "recovery_required" {
		t.Fatalf("on a full disk: %v, %v", o, err)
	}
	stuck = o.text("operation_id")
	t.Logf("its reason: %s", o.text("reason"))
	if left, err := leftovers(w.files); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	w.agrees(t, 1)
	if _, err := s.apply(ctx, "other", other); fault.CodeOf(err) != journal.NeedsRecovery {
		t.Errorf("another build: %v", err)
	}
	again, err := s.apply(ctx, "stuck", plan)
	if err != nil || again.text("operation_id") != stuck || again.text("status") != "recovery_required" {
		t.Errorf("the same build: %v, %v", again, err)
	}
	return stuck
}

// getsFree decides about what is stuck, once there is room.
func (w *wreck) getsFree(t *testing.T, s *site, stuck string, empty func()) {
	t.Helper()
	ctx, id := t.Context(), fields{"operation_id": stuck}
	review, err := s.call(ctx, "recovery_review", id)
	ok(t, err)
	decision := fields{"operation_id": stuck, "expected_digest": review["currentDigest"]}
	if o, err := s.call(ctx, "recovery_abandon", decision); err == nil {
		t.Errorf("decided although the disk is full: %v", o)
	} else {
		t.Logf("a decision on a full disk: %s: %v", fault.CodeOf(err), err)
	}
	if o, err := s.call(ctx, "operation_status", id); err != nil || o.text("status") != "recovery_required" {
		t.Errorf("after a decision that failed: %v, %v", o, err)
	}
	_, err = s.call(ctx, "schematic_export", fields{
		"name": "full", "min": at(geom.Pos{X: -16, Y: 60, Z: -16}), "max": at(geom.Pos{X: -1, Y: 70, Z: -1}),
	})
	if left, failed := leftovers(w.files); failed != nil || len(left) > 0 {
		t.Errorf("an export on a full disk (%v) left %v, %v", err, left, failed)
	}
	empty()
	o, err := s.call(ctx, "recovery_abandon", decision)
	if err != nil || o.text("status") != "failed" {
		t.Errorf("decided: %v, %v", o, err)
	}
	w.agrees(t, 1)
	w.works(t, s)
}

// TestJournalDiskIsFull fills the disk of PostgreSQL while a process builds: its
// callers are told to try again, it goes on by itself once there is room, and
// nothing is lost or done twice.
//
// clause: W-02, W-15, W-20, W-24
func TestJournalDiskIsFull(t *testing.T) {
	t.Parallel()
	folder := tmpfs(t, 128)
	server := newOwn(t, folder)
	w := inWorld(t, t.TempDir(), server.url)
	s := w.living(t)
	hog, builds, told := poolAt(t, server.url), 0, 0
	// With no room at all tables cannot grow; with some they can, until the log
	// of what is written cannot, which ends the server.
	for _, free := range []int64{0, 40_960} {
		empty := fill(t, folder, free)
		full := make(chan struct{})
		notice := sync.OnceFunc(func() { close(full) })
		w.trouble = func() { told++; notice() }
		back := make(chan error, 1)
		go func() {
			for free > 0 && t.Context().Err() == nil { // each takes a file of the log
				_, err := hog.Exec(t.Context(), "SELECT pg_logical_emit_message(false, 'hog', 'hog'), pg_switch_wal()")
				if err != nil {
					notice()
					break
				}
			}
			<-full
			time.Sleep(time.Second) // in which it stays so
			empty()
			select {
			case <-server.process.Ended(): // it gave up
				back <- server.start(context.WithoutCancel(t.Context()))
			case <-time.After(time.Second):
				back <- nil
			}
		}()
		for len(back) == 0 {
			w.goesOn(t, s, fmt.Sprint("build-", builds), []string{"minecraft:bricks", "minecraft:stone"}[builds%2])
			builds++
		}
		ok(t, <-back)
	}
	t.Logf("%d builds; callers were told %d times to try again", builds, told)
	if told == 0 {
		t.Error("nobody noticed that the disk was full")
	}
	w.trouble = nil
	l, err := readLedger(t.Context(), s.Journal, nil)
	ok(t, err)
	for _, e := range l.entries {
		if e.Status != journal.Applied {
			t.Errorf("operation %s is %s", e.ID, e.Status)
		}
	}
	w.agrees(t, builds)
	w.works(t, s)
}
