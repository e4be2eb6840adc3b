package hosttest

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

func testView(t *testing.T, w World) {
	info := w.Host.Info()
	if info.World == uuid.Nil || info.Version != w.Host.Blocks().Version() || info.ReadOnly != "" {
		t.Errorf("Info: %+v", info)
	}
	low, high := pos(-3, info.MinY-1, -3), pos(2, info.MaxY+1, 2)
	err := w.Host.View(t.Context(), box(low, high), func(r host.Reader) error {
		for p := range box(low, high).Positions() {
			if got := r.At(p); got != host.Flat(p.Y) {
				t.Fatalf("At %s: %q, want %q", p, got, host.Flat(p.Y))
			}
			if got := r.Occupied(p); got != "" {
				t.Fatalf("Occupied %s: %q", p, got)
			}
		}
		return errStop
	})
	if !errors.Is(err, errStop) {
		t.Errorf("View returns %v, want the error of its function", err)
	}
}

// panics reports whether f does.
func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func testOutsideBox(t *testing.T, w World) {
	inside := box(pos(0, above, 0), pos(1, above, 1))
	if inside.Contains(pos(2, above, 0)) {
		t.Fatal("the box is wrong")
	}
	try := func(r host.Reader) error {
		for _, p := range []geom.Pos{pos(2, above, 0), pos(0, above-1, 0), pos(0, above, -1)} {
			if !panics(func() { r.At(p) }) || !panics(func() { r.Occupied(p) }) {
				t.Errorf("%s outside the box is read", p)
			}
			if w, ok := r.(host.Writer); ok && !panics(func() { w.Set(p, stone) }) {
				t.Errorf("%s outside the box is set", p)
			}
		}
		return nil
	}
	if err := w.Host.View(t.Context(), inside, try); err != nil {
		t.Error(err)
	}
	if _, err := w.Host.Edit(t.Context(), host.Cause{}, inside, func(w host.Writer) error { return try(w) }); err != nil {
		t.Error(err)
	}
}

func testUseAfterEnd(t *testing.T, w World) {
	p := pos(0, above, 0)
	var reader host.Reader
	var writer host.Writer
	if err := w.Host.View(t.Context(), one(p), func(r host.Reader) error { reader = r; return nil }); err != nil {
		t.Fatal(err)
	}
	_, err := w.Host.Edit(t.Context(), host.Cause{}, one(p), func(w host.Writer) error { writer = w; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if !panics(func() { reader.At(p) }) || !panics(func() { writer.At(p) }) || !panics(func() { writer.Set(p, stone) }) {
		t.Error("a view or an edit can be used after its end")
	}
	equal(t, "the block", read(w.Host, t, p), air)
}

func testEdit(t *testing.T, w World) {
	before := revision(w.Host, t)
	a, b := pos(-1, above, -1), pos(0, above, 0) // in two chunks
	got, err := w.Host.Edit(t.Context(), host.Cause{Kind: host.ByOther}, box(a, b), func(w host.Writer) error {
		if err := w.Set(a, log); err != nil {
			return err
		}
		equal(t, "a block within its edit", w.At(a), log)
		equal(t, "the revision within an edit", w.Revision(), before)
		return w.Set(b, stone)
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the revision", got, before+1)
	equal(t, "the revision that is read", revision(w.Host, t), before+1)
	equal(t, "the first block", read(w.Host, t, a), log)
	equal(t, "the second block", read(w.Host, t, b), stone)
	equal(t, "the revision after an edit that changes nothing", set(w.Host, t, stone, b), before+1)
}

func testSetRefuses(t *testing.T, w World) {
	info := w.Host.Info()
	column := box(pos(0, info.MinY-1, 0), pos(0, info.MaxY+1, 0))
	_, err := w.Host.Edit(t.Context(), host.Cause{}, column, func(w host.Writer) error {
		for _, state := range []string{"", "stone", "minecraft:oak_log", "minecraft:oak_log[axis=w]", "minecraft:no_such_block"} {
			if err := w.Set(pos(0, above, 0), state); err == nil {
				t.Errorf("the state %q is set", state)
			}
		}
		for y, fits := range map[int32]bool{info.MinY - 1: false, info.MinY: true, info.MaxY: true, info.MaxY + 1: false} {
			if err := w.Set(pos(0, y, 0), stone); (err == nil) != fits {
				t.Errorf("Set at the height %d: %v", y, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	equal(t, "the block that was refused", read(w.Host, t, pos(0, above, 0)), air)
	equal(t, "the lowest block", read(w.Host, t, pos(0, info.MinY, 0)), stone)
	equal(t, "the highest block", read(w.Host, t, pos(0, info.MaxY, 0)), stone)
}

// half sets some blocks, one of them twice.
func half(w host.Writer) error {
	for _, p := range []geom.Pos{pos(-1, above, -1), pos(0, above, 0), pos(0, above-1, 0)} {
		if err := w.Set(p, stone); err != nil {
			return err
		}
	}
	return w.Set(pos(0, above, 0), log)
}

func checkUntouched(t *testing.T, w World, r *recorder, before uint64) {
	t.Helper()
	for p := range box(pos(-1, above-1, -1), pos(0, above, 0)).Positions() {
		equal(t, "the block at "+p.String(), read(w.Host, t, p), host.Flat(p.Y))
	}
	equal(t, "what observers heard", r.changes, []host.Change(nil))
	equal(t, "the revision", revision(w.Host, t), before)
	equal(t, "the revision of the next edit", set(w.Host, t, dirt, pos(0, above, 0)), before+1)
}

func testError(t *testing.T, w World) {
	var r recorder
	defer w.Host.Observe(&r)()
	before := revision(w.Host, t)
	around := box(pos(-1, above-1, -1), pos(0, above, 0))
	_, err := w.Host.Edit(t.Context(), host.Cause{}, around, func(w host.Writer) error {
		if err := half(w); err != nil {
			return err
		}
		return errStop
	})
	if !errors.Is(err, errStop) {
		t.Errorf("Edit returns %v, want the error of its function", err)
	}
	checkUntouched(t, w, &r, before)
}

func testPanic(t *testing.T, w World) {
	var r recorder
	defer w.Host.Observe(&r)()
	before := revision(w.Host, t)
	around := box(pos(-1, above-1, -1), pos(0, above, 0))
	if !panics(func() {
		_, _ = w.Host.Edit(t.Context(), host.Cause{}, around, func(w host.Writer) error {
			if err := half(w); err != nil {
				return err
			}
			panic("stop")
		})
	}) {
		t.Error("the panic of an edit goes no further")
	}
	checkUntouched(t, w, &r, before)
	if !panics(func() {
		_ = w.Host.View(t.Context(), around, func(host.Reader) error { panic("stop") })
	}) {
		t.Error("the panic of a view goes no further")
	}
	set(w.Host, t, stone, pos(0, above, 0)) // and the world is not locked
}
