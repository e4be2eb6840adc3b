package live_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/live"
)

// served is a site on a socket, with somebody who looks.
func served(t *testing.T, change func(*live.Config)) (*site, *httptest.Server, *listener) {
	t.Helper()
	s := newSite(t, change)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	l := s.listen(t, server, s.enter(t))
	var hello struct {
		World, Version string
		View           int
		Home           [3]int32
	}
	l.next("hello", &hello)
	if hello.World != s.world.Info().World.String() || hello.Version != "1.20.2" {
		t.Errorf("hello %+v", hello)
	}
	return s, server, l
}

// TestBlocks: a viewer is told of the chunk that changed, and of the ones beside
// it where the change is at the border.
func TestBlocks(t *testing.T) {
	t.Parallel()
	s, _, l := served(t, nil)
	for _, c := range []struct {
		at   geom.Pos
		want [][2]int32
	}{
		{geom.Pos{X: 8, Y: 65, Z: 8}, [][2]int32{{0, 0}}},
		{geom.Pos{X: -16, Y: 65, Z: 15}, [][2]int32{{-2, 0}, {-1, 0}, {-1, 1}}},
		{geom.Pos{X: 31, Y: 65, Z: -16}, [][2]int32{{1, -2}, {1, -1}, {2, -1}}},
	} {
		put(t, s.world, map[geom.Pos]string{c.at: "minecraft:stone"})
		var got [][2]int32
		l.next("columns", &got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: %s", c.at, diff)
		}
	}
}

// TestResync: what is kept for a viewer has an end, and past it the viewer is told
// to look at everything again.
func TestResync(t *testing.T) {
	t.Parallel()
	s, _, l := served(t, nil)
	change := func(chunks int, state string) {
		set := map[geom.Pos]string{}
		for i := range chunks {
			set[geom.Pos{X: int32(i%20)*16 + 8, Y: 65, Z: int32(i/20)*16 + 8}] = state
		}
		put(t, s.world, set)
	}
	change(256, "minecraft:stone")
	var got [][2]int32
	if l.next("columns", &got); len(got) != 256 {
		t.Errorf("%d chunks changed", len(got))
	}
	change(257, "minecraft:glass")
	l.next("resync", &struct{}{})
	change(1, "minecraft:stone")
	if l.next("columns", &got); len(got) != 1 { // nothing was kept beside it
		t.Errorf("afterwards %d chunks changed", len(got))
	}
}

// TestPlayers: who comes, walks and goes, in the order of names, and no more than
// are listed.
func TestPlayers(t *testing.T) {
	t.Parallel()
	s, _, l := served(t, nil)
	names := func(st status) (list []string) {
		for _, p := range st.Players {
			list = append(list, p.Name)
		}
		return list
	}
	alex, zoe := player(2, "alex"), player(1, "zoe")
	for _, p := range []error{s.world.World.Join(zoe, silent), s.world.World.Join(alex, silent)} {
		if p != nil {
			t.Fatal(p)
		}
	}
	l.until(func(st status) bool { return slices.Equal(names(st), []string{"alex", "zoe"}) })
	zoe.Feet = [3]float64{1.26, 65, -3}
	s.world.Move(zoe)
	l.until(func(st status) bool { return len(st.Players) == 2 && st.Players[1].Feet == [3]float64{1.3, 65, -3} })
	s.world.Quit(alex.ID)
	l.until(func(st status) bool { return slices.Equal(names(st), []string{"zoe"}) })
	for i := range byte(64) {
		if err := s.world.World.Join(player(10+i, fmt.Sprintf("p%02d", i)), silent); err != nil {
			t.Fatal(err)
		}
		if i == 62 {
			l.until(func(st status) bool { return len(st.Players) == 64 && st.More == 0 })
		}
	}
	l.until(func(st status) bool { return len(st.Players) == 64 && st.More == 1 })
}

// TestOperations: what runs and what was left alone, up to the bounds; and that
// it cannot be told now, without the reason.
func TestOperations(t *testing.T) {
	t.Parallel()
	s, server, l := served(t, nil)
	many := make([]live.Operation, 32)
	for i := range many {
		many[i] = live.Operation{ID: uuid.UUID{15: byte(i)}, Status: "applied"}
	}
	many[0].Region = geom.Box{Min: geom.Pos{X: -1}, Max: geom.Pos{Y: 2}}
	for i := range int32(8) {
		many[0].Sample = append(many[0].Sample, live.Conflict{Pos: geom.Pos{X: i}, Expected: "minecraft:air", Actual: "minecraft:stone"})
	}
	s.tell(many, nil)
	first := l.until(func(st status) bool { return len(st.Operations) == 32 }).Operations[0]
	if len(first.Sample) != 8 || first.Sample[7].At != [3]int32{7, 0, 0} || first.Sample[7].Expected != "air" ||
		first.Sample[7].Actual != "stone" || first.Min != [3]int32{-1, 0, 0} || first.Max != [3]int32{0, 2, 0} {
		t.Errorf("%+v", first)
	}
	many = append(slices.Clone(many), live.Operation{ID: uuid.UUID{15: 99}})
	many[0].Status, many[0].Sample = "conflict", append(many[0].Sample, live.Conflict{})
	s.tell(many, nil)
	told := l.until(func(st status) bool { return st.Operations[0].Status == "conflict" })
	if len(told.Operations) != 32 || len(told.Operations[0].Sample) != 8 {
		t.Errorf("%d operations and %d conflicts are listed", len(told.Operations), len(told.Operations[0].Sample))
	}
	s.tell(nil, errors.New("secret address"))
	told = l.until(func(st status) bool { return st.Problem != "" })
	if strings.Contains(told.Problem, "secret") || len(told.Operations) != 0 {
		t.Errorf("%+v", told)
	}
	again := s.listen(t, server, s.enter(t)) // who comes later is told the same
	again.until(func(st status) bool { return st.Problem == told.Problem })
}

// TestViewers: sixteen look at once; one goes, and there is room for one.
func TestViewers(t *testing.T) {
	t.Parallel()
	s, server, _ := served(t, nil)
	cookie := s.enter(t)
	for range 14 {
		s.listen(t, server, cookie)
	}
	last := s.listen(t, server, cookie)
	refused := s.ask(http.MethodGet, "/api/v1/events", cookie)
	if refused.Code != http.StatusServiceUnavailable {
		t.Fatalf("one more: %d", refused.Code)
	}
	_ = last.body.Close()
	for { // until the server has noticed
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/events", nil)
		r.AddCookie(cookie)
		w, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		if w.StatusCode == http.StatusOK {
			return
		}
	}
}

// TestClose: streams end, and the world is let go.
func TestClose(t *testing.T) {
	t.Parallel()
	s, _, l := served(t, nil)
	s.Close()
	if _, err := io.Copy(io.Discard, l.body); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	put(t, s.world, map[geom.Pos]string{{Y: 70}: "minecraft:stone"})
}
