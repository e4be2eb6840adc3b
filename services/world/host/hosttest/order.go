package hosttest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// together calls f in n goroutines and waits for all.
func together(n int, f func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// testAlone has each edit take the first free place: no two find the same.
func testAlone(t *testing.T, w World) {
	const each, n = 8, 4
	row := box(pos(-16, above, 0), pos(15, above, 0))
	before := revision(w.Host, t)
	var mu sync.Mutex
	seen := map[uint64]bool{}
	together(n, func(int) {
		for range each {
			got, err := w.Host.Edit(t.Context(), host.Cause{Kind: host.ByOther}, row, func(w host.Writer) error {
				for p := range row.Positions() {
					if w.At(p) == air {
						return w.Set(p, stone)
					}
				}
				return errors.New("no place is left")
			})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			seen[got] = true
			mu.Unlock()
		}
	})
	for i := range uint64(each * n) {
		if !seen[before+i+1] {
			t.Errorf("no edit made the revision %d", before+i+1)
		}
	}
	for p := range row.Positions() {
		equal(t, "the block at "+p.String(), read(w.Host, t, p), stone)
	}
}

// testConsistent has edits set all of a box to one state, or none of it.
func testConsistent(t *testing.T, w World) {
	cube := box(pos(-2, above, -2), pos(1, above+3, 1)) // in four chunks
	states := []string{stone, dirt, log}
	together(4, func(i int) {
		for round := range 20 {
			if i%2 == 0 {
				_, err := w.Host.Edit(t.Context(), host.Cause{Kind: host.ByOther}, cube, func(w host.Writer) error {
					for p := range cube.Positions() {
						if err := w.Set(p, states[(i+round)%3]); err != nil {
							return err
						}
					}
					if round%5 == 4 {
						return errStop
					}
					return nil
				})
				if err != nil && !errors.Is(err, errStop) {
					t.Error(err)
				}
				continue
			}
			err := w.Host.View(t.Context(), cube, func(r host.Reader) error {
				first := r.At(cube.Min)
				for p := range cube.Positions() {
					if got := r.At(p); got != first {
						t.Errorf("a view has %q at %s and %q at %s", got, p, first, cube.Min)
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

func testOrder(t *testing.T, w World) {
	var first, second recorder
	stopFirst := w.Host.Observe(&first)
	defer w.Host.Observe(&second)()
	before := revision(w.Host, t)
	p := pos(0, above, 0)
	together(4, func(i int) {
		cause := host.Cause{Kind: host.ByPlayer, Player: uuid.UUID{byte(i + 1)}}
		for range 10 {
			_, err := w.Host.Edit(t.Context(), cause, one(p), func(w host.Writer) error {
				next := map[string]string{air: stone, stone: dirt, dirt: log, log: stone}
				return w.Set(p, next[w.At(p)])
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	last := air
	for i, c := range first.changes {
		cause := c.Cause.Kind == host.ByPlayer && c.Cause.Player != uuid.Nil
		if c.Pos != p || c.Before != last || c.Revision != before+uint64(i)+1 || !cause {
			t.Errorf("change %d is %+v, after %q", i, c, last)
		}
		last = c.After
	}
	equal(t, "the last change", last, read(w.Host, t, p))
	equal(t, "the number of changes", len(first.changes), 40)
	equal(t, "what the second observer heard", second.changes, first.changes)

	stopFirst()
	stopFirst() // harms nothing
	set(w.Host, t, air, p)
	equal(t, "what was heard after stop", len(first.changes), 40)
	equal(t, "what the other heard", len(second.changes), 41)
}

// testNet sets the same block more than once in an edit.
func testNet(t *testing.T, w World) {
	var r recorder
	defer w.Host.Observe(&r)()
	before := revision(w.Host, t)
	a, b, c := pos(2, above, 0), pos(1, above, 0), pos(0, above, 0)
	cause := host.Cause{Kind: host.ByOperation, Operation: uuid.UUID{1}}
	_, err := w.Host.Edit(t.Context(), cause, box(a, c), func(w host.Writer) error {
		for _, s := range []struct {
			p     geom.Pos
			state string
		}{{a, stone}, {b, stone}, {a, dirt}, {b, air}, {c, log}} {
			if err := w.Set(s.p, s.state); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "what was heard", r.calls, [][]host.Change{{
		{Pos: a, Before: air, After: dirt, Cause: cause, Revision: before + 1},
		{Pos: c, Before: air, After: log, Cause: cause, Revision: before + 1},
	}})
}

func testPlayers(t *testing.T, w World) {
	var r recorder
	defer w.Host.Observe(&r)()
	ada := host.Player{ID: uuid.UUID{1}, Name: "Ada", Feet: [3]float64{0.5, 65, 0.5}}
	ghost := uuid.UUID{9}
	var shown []string
	if err := w.Outside.Join(ada, func(text string) error { shown = append(shown, text); return nil }); err != nil {
		t.Fatal(err)
	}
	got, ok := w.Host.Player(ada.ID)
	equal(t, "the player", got, ada)
	equal(t, "whether the player is there", ok, true)
	w.Outside.Chat(ada.ID, "hello")
	w.Outside.Chat(ghost, "boo")
	set(w.Host, t, stone, pos(0, above, 0))
	for _, to := range []uuid.UUID{ada.ID, ghost} {
		if err := w.Host.Say(t.Context(), to, "hi"); err != nil {
			t.Error(err)
		}
	}
	w.Outside.Quit(ada.ID)
	w.Outside.Quit(ghost)
	if _, ok := w.Host.Player(ada.ID); ok {
		t.Error("the player is still there")
	}
	if err := w.Host.Say(t.Context(), ada.ID, "gone"); err != nil {
		t.Error(err)
	}
	equal(t, "what was heard", r.events, []string{"Ada joins", "Ada: hello", "Ada quits"})
	equal(t, "what was shown", shown, []string{"hi"})
}

func testForeignPlayers(t *testing.T, w World) {
	for i, feet := range [][3]float64{{-0.5, 65, -0.5}, {0.5, 65, 0.5}, {2, 65, 0.99}} {
		p := host.Player{ID: uuid.UUID{byte(3 - i)}, Feet: feet}
		if err := w.Outside.Join(p, func(string) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		in   geom.Box
		want []host.Foreign
	}{
		{box(pos(-1, 65, -1), pos(1, 65, 0)), []host.Foreign{
			{Pos: pos(-1, 65, -1), Kind: "player", ID: uuid.UUID{3}.String()},
			{Pos: pos(0, 65, 0), Kind: "player", ID: uuid.UUID{2}.String()},
		}},
		{box(pos(1, 66, 0), pos(1, 66, 0)), nil},
	} {
		got, err := w.Host.Foreign(t.Context(), test.in)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "what is in the box", got, test.want)
	}
}

func testCancelled(t *testing.T, w World) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range calls(ctx, t, w.Host, one(pos(0, above, 0))) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
}

// calls are the errors of all methods that have one; no function given may run.
func calls(ctx context.Context, t *testing.T, h host.Host, here geom.Box) map[string]error {
	errs := map[string]error{
		"View":  h.View(ctx, here, func(host.Reader) error { t.Error("View runs its function"); return nil }),
		"Flush": h.Flush(ctx, []host.ChunkPos{{}}),
		"Say":   h.Say(ctx, uuid.UUID{1}, "x"),
	}
	_, errs["Edit"] = h.Edit(ctx, host.Cause{}, here, func(host.Writer) error { t.Error("Edit runs its function"); return nil })
	_, errs["Foreign"] = h.Foreign(ctx, here)
	_, errs["Heights"] = h.Heights(ctx, here)
	return errs
}
