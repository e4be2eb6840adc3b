package worldtest

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// machine is a computer with a world on a disk that loses what was not synced.
// Its journal is on another one.
type machine struct {
	place
	world uuid.UUID
	disk  *lossy.Disk

	each func()     // is called after each step
	mu   sync.Mutex // of what follows
	step int
	last int // the power goes after this step

	dead    atomic.Bool
	gone    chan struct{} // closed when it has no power
	release chan struct{} // whoever was at work then waits for it
}

// newMachine makes a machine with a new world on it, all of which is on the disk.
func newMachine(t testing.TB) *machine {
	t.Helper()
	m := &machine{disk: lossy.New(), gone: make(chan struct{}), release: make(chan struct{})}
	m.place = place{files: m.disk, projects: filepath.Join(t.TempDir(), "projects.json"), pool: poolAt(t, database(t))}
	s, err := m.open(t.Context())
	ok(t, err)
	m.world = s.Host.Info().World
	ok(t, s.close())
	m.disk.Sync()
	m.wrap = func(s *journal.Store) operation.Journal { return &watched{s, m} }
	return m
}

// start begins to count steps: of the disk, and of the journal.
func (m *machine) start() { m.disk.Watch(func(string, string) { m.passed() }) }

// passed is called after each step, by whoever did it.
func (m *machine) passed() {
	m.mu.Lock()
	m.step++
	now := m.step == m.last
	m.mu.Unlock()
	if m.each != nil {
		m.each()
	}
	if now {
		m.dead.Store(true)
		close(m.gone)
		<-m.release
	}
}

// steps are those so far.
func (m *machine) steps() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.step
}

// watched is a journal whose writes are steps of a machine. What is asked after
// its death has no effect.
type watched struct {
	*journal.Store
	machine *machine
}

var errGone = errors.New("there is no power")

func (w *watched) write(f func() (journal.Operation, error)) (journal.Operation, error) {
	if w.machine.dead.Load() {
		return journal.Operation{}, errGone
	}
	o, err := f()
	if err == nil {
		w.machine.passed()
	}
	return o, err
}

// Intent implements operation.Journal.
func (w *watched) Intent(ctx context.Context, s journal.Slice) (journal.Operation, error) {
	return w.write(func() (journal.Operation, error) { return w.Store.Intent(ctx, s) })
}

// Confirm implements operation.Journal.
func (w *watched) Confirm(ctx context.Context, s journal.Slice, sample []journal.Conflict) (journal.Operation, error) {
	return w.write(func() (journal.Operation, error) { return w.Store.Confirm(ctx, s, sample) })
}

// Finish implements operation.Journal.
func (w *watched) Finish(ctx context.Context, id uuid.UUID, status journal.Status, reason string) (journal.Operation, error) {
	return w.write(func() (journal.Operation, error) { return w.Store.Finish(ctx, id, status, reason) })
}

// RequireRecovery implements operation.Journal.
func (w *watched) RequireRecovery(ctx context.Context, id uuid.UUID, reason string) (journal.Operation, error) {
	return w.write(func() (journal.Operation, error) { return w.Store.RequireRecovery(ctx, id, reason) })
}

// withoutLinks has files keep one name.
func (m *machine) withoutLinks() {
	m.disk.Refuse(func(step, _ string) error {
		if step == "link" {
			return syscall.EPERM
		}
		return nil
	})
}

// sloppy writes a file anew and syncs its name alone, as a server may that had
// the world before. It returns the content.
func (m *machine) sloppy(t testing.TB, name string) []byte {
	t.Helper()
	data, err := disk.ReadFile(m.disk, name, 1<<26)
	ok(t, err)
	ok(t, m.disk.Remove(name))
	file, err := m.disk.Create(name, 0o644)
	ok(t, err)
	_, err = file.Write(data)
	ok(t, err)
	ok(t, file.Close())
	ok(t, m.disk.SyncDir("region"))
	return data
}
