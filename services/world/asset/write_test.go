package asset_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
)

// steps is a layer that writes down what changes the disk, and can have one
// step fail. Before a step it may do something.
type steps struct {
	disk.FS
	done   []string
	fails  string
	before func(step string)
}

func (s *steps) step(name string) error {
	if s.before != nil {
		s.before(name)
	}
	if name == s.fails {
		return &fs.PathError{Op: name, Path: "/the/world/pharos/schematics", Err: syscall.ENOSPC}
	}
	s.done = append(s.done, name)
	return nil
}

func (s *steps) Create(name string, perm fs.FileMode) (disk.File, error) {
	if err := s.step("create"); err != nil {
		return nil, err
	}
	file, err := s.FS.Create(name, perm)
	return written{file, s}, err
}

func (s *steps) Link(from, to string) error {
	if err := s.step("link"); err != nil {
		return err
	}
	return s.FS.Link(from, to)
}

func (s *steps) Rename(from, to string) error {
	if err := s.step("rename"); err != nil {
		return err
	}
	return s.FS.Rename(from, to)
}

func (s *steps) Remove(name string) error {
	if err := s.step("remove"); err != nil {
		return err
	}
	return s.FS.Remove(name)
}

func (s *steps) SyncDir(name string) error {
	if err := s.step("sync folder"); err != nil {
		return err
	}
	return s.FS.SyncDir(name)
}

type written struct {
	disk.File
	*steps
}

func (w written) Write(data []byte) (int, error) {
	if err := w.step("write"); err != nil {
		return 0, err
	}
	return w.File.Write(data)
}

func (w written) Sync() error {
	if err := w.step("sync"); err != nil {
		return err
	}
	return w.File.Sync()
}

// watched is a world over such a layer, with nothing written down yet.
func watched(t *testing.T) (*world, *steps) {
	t.Helper()
	s := &steps{}
	w := worldOver(t, func(in disk.FS) disk.FS { s.FS = in; return s })
	s.done = nil
	return w, s
}

// clause: W-24, W-31
func TestExportIsOnTheDisk(t *testing.T) {
	t.Parallel()
	w, s := watched(t)
	if _, err := w.export("house"); err != nil {
		t.Fatal(err)
	}
	want := []string{"create", "write", "sync", "link", "remove", "sync folder"}
	if diff := cmp.Diff(want, s.done); diff != "" {
		t.Errorf("other steps (-want +got):\n%s", diff)
	}
}

// clause: W-31
func TestExportThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"create", "write", "sync", "sync folder"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w, s := watched(t)
			s.fails = step
			_, err := w.export("house")
			w.refused(t, err, fault.Unavailable, "no space left on device")
			if got := w.names(t); len(got) > 0 {
				t.Errorf("it left %q", got)
			}
			s.fails = ""
			if _, err := w.export("house"); err != nil {
				t.Errorf("the next one: %v", err)
			}
		})
	}
}

// Not every file system has links; there nobody else may write to the folder.
//
// clause: W-31
func TestExportWithoutLinks(t *testing.T) {
	t.Parallel()
	w, s := watched(t)
	s.fails = "link"
	if _, err := w.export("house"); err != nil {
		t.Fatal(err)
	}
	_, err := w.export("house")
	w.refused(t, err, asset.Exists)
	if diff := cmp.Diff([]string{"house.schem"}, w.names(t)); diff != "" {
		t.Errorf("other files (-want +got):\n%s", diff)
	}
}

// clause: W-31
func TestExportLosesARace(t *testing.T) {
	t.Parallel()
	w, s := watched(t)
	s.before = func(step string) {
		if step == "link" { // somebody else is faster by a moment
			w.put(t, "house.schem", []byte("the owner's"))
		}
	}
	_, err := w.export("house")
	w.refused(t, err, asset.Exists)
	if got, err := os.ReadFile(filepath.Join(w.path, "house.schem")); err != nil || string(got) != "the owner's" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if got := w.names(t); len(got) != 1 {
		t.Errorf("it left %q", got)
	}
}

// clause: W-24, W-31
func TestOpenTakesAwayWhatIsHalfDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	whole := stone(t, "")
	w.put(t, "whole.schem", whole)
	w.put(t, disk.Temporary("house.schem"), []byte("half"))
	w.put(t, disk.Temporary("whole.schem"), whole) // died between its two names
	w.put(t, "notes.txt", []byte("the owner's"))
	if err := os.Mkdir(filepath.Join(w.path, disk.Temporary("folder")), 0o700); err != nil {
		t.Fatal(err)
	}
	again, err := asset.Open(w.files, "pharos/schematics", pack(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{disk.Temporary("folder"), "notes.txt", "whole.schem"}
	if diff := cmp.Diff(want, w.names(t)); diff != "" {
		t.Errorf("other files (-want +got):\n%s", diff)
	}
	if got, err := again.List(t.Context(), "", options); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

// clause: W-24, W-31
func TestCrashPoints(t *testing.T) { // not parallel: the points are those of the process
	w := newWorld(t)
	seen := map[crashpoint.Point][]string{}
	crashpoint.Arm(func(p crashpoint.Point) { seen[p] = w.names(t) })
	defer crashpoint.Arm(nil)
	if _, err := w.export("house"); err != nil {
		t.Fatal(err)
	}
	want := map[crashpoint.Point][]string{
		crashpoint.ExportWritten: {disk.Temporary("house.schem")},
		crashpoint.ExportRenamed: {"house.schem"},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("other files at the points (-want +got):\n%s", diff)
	}
}

// clause: W-31
func TestHostErrorsStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := w.export("house")
	var f *fault.Fault
	if err == nil || errors.As(err, &f) || !strings.Contains(err.Error(), "closed") {
		t.Errorf("of a closed world: %v", err)
	}
}
