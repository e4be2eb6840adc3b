package assignment_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// clause: P-42
func TestCreate(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	n := content()
	got, replayed, err := b.Create(t.Context(), gm, n)
	if err != nil || replayed {
		t.Fatalf("replayed %v, error %v", replayed, err)
	}
	want := assignment.Assignment{
		ID: n.ID, ScenarioID: harbor, ScenarioTitle: "The harbor", SourceVersion: 1,
		GM:     assignment.Person{ID: gm, Username: "gina", DisplayName: "Gina"},
		Player: assignment.Person{ID: player, Username: "paul", DisplayName: "Paul"},
		Mode:   "absence", Language: "en", Status: "active", Character: n.Character, Brief: n.Brief,
		Instructions: n.Instructions, Boundaries: n.Boundaries, ReturnCondition: n.ReturnCondition, GMNotes: n.GMNotes,
		PublishedNodeIDs: []string{"harbor", "mira", "pier"}, AutoApprove: []string{"resource"}, Version: 1,
		CurrentScene: "pier", CreatedAt: pg.Time(noon), UpdatedAt: pg.Time(noon),
	}
	same(t, got, want)
	read, role, err := b.Get(t.Context(), gm, n.ID)
	if err != nil || role != assignment.GM {
		t.Errorf("role %s, error %v", role, err)
	}
	same(t, read, want)

	// The same again gives the same, in another order too, and whatever has
	// become of it, of the player and of the clock.
	b.exec("UPDATE play.account SET active = false WHERE id = $1", player)
	b.pass(time.Hour)
	slices.Reverse(n.PublishedNodeIDs)
	again, replayed, err := b.Create(t.Context(), gm, n)
	if err != nil || !replayed {
		t.Fatalf("replayed %v, error %v", replayed, err)
	}
	same(t, again, want)
}

// TestCreateLeast leaves out what may be left out.
//
// clause: P-42
func TestCreateLeast(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	n := content()
	n.Instructions, n.GMNotes, n.PublishedNodeIDs, n.AutoApprove = "", "", []string{"cellar"}, nil
	a, replayed, err := b.Create(t.Context(), gm, n)
	if err != nil || replayed || a.CurrentScene != "cellar" || a.AutoApprove == nil || len(a.AutoApprove) > 0 {
		t.Errorf("%+v, replayed %v, error %v", a, replayed, err)
	}
	n.AutoApprove = []string{} // says no more than nothing does
	if _, replayed, err = b.Create(t.Context(), gm, n); err != nil || !replayed {
		t.Errorf("replayed %v, error %v", replayed, err)
	}
}

// clause: P-42
func TestCreateChanged(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	n := content()
	if _, _, err := b.Create(t.Context(), gm, n); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*assignment.NewAssignment){
		"player":       func(n *assignment.NewAssignment) { n.PlayerUsername = "sten" },
		"mode":         func(n *assignment.NewAssignment) { n.Mode = "solo" },
		"language":     func(n *assignment.NewAssignment) { n.Language = "pl" },
		"character":    func(n *assignment.NewAssignment) { n.Character += "." },
		"brief":        func(n *assignment.NewAssignment) { n.Brief += "." },
		"instructions": func(n *assignment.NewAssignment) { n.Instructions = "" },
		"boundaries":   func(n *assignment.NewAssignment) { n.Boundaries += "." },
		"return":       func(n *assignment.NewAssignment) { n.ReturnCondition += "." },
		"notes":        func(n *assignment.NewAssignment) { n.GMNotes = "" },
		"nodes":        func(n *assignment.NewAssignment) { n.PublishedNodeIDs = []string{"pier", "mira"} },
		"categories":   func(n *assignment.NewAssignment) { n.AutoApprove = nil },
		"scenario":     func(n *assignment.NewAssignment) { n.ScenarioID = island },
		"version":      func(n *assignment.NewAssignment) { n.SourceVersion = 2 },
	} {
		other := n
		change(&other)
		if _, _, err := b.Create(t.Context(), gm, other); fault.CodeOf(err) != fault.Exists {
			t.Errorf("another %s: error %v", name, err)
		}
	}
	if _, _, err := b.Create(t.Context(), stranger, n); fault.CodeOf(err) != fault.Exists {
		t.Errorf("another game master: error %v", err)
	}
	if n := b.count("SELECT count(*) FROM play.assignment"); n != 2 {
		t.Errorf("%d assignments", n)
	}
}

// clause: P-42
func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	n, made := content(), atomic.Int64{}
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			a, replayed, err := b.Create(t.Context(), gm, n)
			if err != nil || a.ID != n.ID {
				t.Errorf("%s, error %v", a.ID, err)
			}
			if !replayed {
				made.Add(1)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
}

// clause: P-42
func TestCreateRefused(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	b.exec("UPDATE play.account SET active = false WHERE id = $1", stranger)
	tests := map[string]struct {
		change func(*assignment.NewAssignment)
		code   fault.Code
		text   string
	}{
		"another's scenario":  {func(n *assignment.NewAssignment) { n.ScenarioID = island }, fault.NotFound, "scenario not found"},
		"no scenario":         {func(n *assignment.NewAssignment) { n.ScenarioID = uuid.New() }, fault.NotFound, "scenario not found"},
		"no version":          {func(n *assignment.NewAssignment) { n.SourceVersion = 3 }, fault.Unprocessable, "source_version is 3"},
		"version 0":           {func(n *assignment.NewAssignment) { n.SourceVersion = 0 }, fault.Unprocessable, "source_version is 0"},
		"a draft":             {func(n *assignment.NewAssignment) { n.SourceVersion = 2 }, fault.Unprocessable, "publish it"},
		"no player":           {func(n *assignment.NewAssignment) { n.PlayerUsername = "nobody" }, fault.Unprocessable, "player_username"},
		"an inactive player":  {func(n *assignment.NewAssignment) { n.PlayerUsername = "sten" }, fault.Unprocessable, "player_username"},
		"a player in capital": {func(n *assignment.NewAssignment) { n.PlayerUsername = "Paul" }, fault.Unprocessable, "player_username"},
		"an unknown node":     {func(n *assignment.NewAssignment) { n.PublishedNodeIDs = []string{"pier", "moon"} }, fault.Unprocessable, "names moon"},
		"no scene":            {func(n *assignment.NewAssignment) { n.PublishedNodeIDs = []string{"mira", "page"} }, fault.Unprocessable, "must name a scene"},
		"no node":             {func(n *assignment.NewAssignment) { n.PublishedNodeIDs = nil }, fault.Unprocessable, "1 to 100"},
		"a node twice":        {func(n *assignment.NewAssignment) { n.PublishedNodeIDs = []string{"pier", "mira", "pier"} }, fault.Unprocessable, "twice"},
		"no slug":             {func(n *assignment.NewAssignment) { n.PublishedNodeIDs = []string{"../pier"} }, fault.Unprocessable, "published_node_ids"},
		"another mode":        {func(n *assignment.NewAssignment) { n.Mode = "war" }, fault.Unprocessable, "mode"},
		"another language":    {func(n *assignment.NewAssignment) { n.Language = "de" }, fault.Unprocessable, "language"},
		"another category":    {func(n *assignment.NewAssignment) { n.AutoApprove = []string{"loot"} }, fault.Unprocessable, "auto_approve"},
		"a category twice":    {func(n *assignment.NewAssignment) { n.AutoApprove = []string{"resource", "resource"} }, fault.Unprocessable, "twice"},
	}
	for name, c := range tests {
		n := content()
		c.change(&n)
		_, _, err := b.Create(t.Context(), gm, n)
		if fault.CodeOf(err) != c.code || !strings.Contains(fault.From(err).Message, c.text) {
			t.Errorf("%s: error %v, want %s with %q", name, err, c.code, c.text)
		}
	}
	if n := b.count("SELECT count(*) FROM play.assignment"); n != 1 {
		t.Errorf("%d assignments", n)
	}
}

// TestOwnPlayer is a game master who plays himself.
func TestOwnPlayer(t *testing.T) {
	t.Parallel()
	b := newTable(t).another("gina")
	a, role, err := b.Get(t.Context(), gm, b.id)
	if err != nil || role != assignment.GM || a.GMNotes == "" {
		t.Errorf("role %s, notes %q, error %v", role, a.GMNotes, err)
	}
	r := b.commit(turn(1))
	if _, err := b.Review(t.Context(), gm, b.id, review(2, r.Consequences[0].ID)); err != nil {
		t.Error(err)
	}
	list, err := b.List(t.Context(), gm)
	if err != nil || len(list) != 2 {
		t.Errorf("%d in the list, error %v", len(list), err)
	}
}

// clause: P-40, P-45
func TestGet(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	a := b.session()
	got, role, err := b.Get(t.Context(), player, b.id)
	if err != nil || role != assignment.Player {
		t.Errorf("role %s, error %v", role, err)
	}
	a.GMNotes = ""
	same(t, got, a)
	for name, c := range map[string]struct{ viewer, id uuid.UUID }{
		"a stranger": {stranger, b.id}, "nobody": {uuid.New(), b.id}, "another id": {gm, uuid.New()},
	} {
		if got, role, err := b.Get(t.Context(), c.viewer, c.id); fault.CodeOf(err) != fault.NotFound || got.ID != uuid.Nil || role != "" {
			t.Errorf("%s: %s as %q, error %v", name, got.ID, role, err)
		}
		if _, _, err := b.Consequences(t.Context(), c.viewer, c.id, 0, 1); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: consequences, error %v", name, err)
		}
	}
}

// TestList has more than a list shows.
//
// clause: P-41, P-45
func TestList(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	given := map[string][]uuid.UUID{"gina": {b.id}, "paul": {b.id}} // to and by whom, the newest last
	give := func(owner, of uuid.UUID, by, to string) {
		n := content()
		n.ScenarioID, n.PlayerUsername = of, to
		b.pass(time.Second)
		if _, _, err := b.Create(t.Context(), owner, n); err != nil {
			t.Fatal(err)
		}
		given[by], given[to] = append(given[by], n.ID), append(given[to], n.ID)
	}
	for i := range 101 {
		give(gm, harbor, "gina", "paul")
		give(stranger, island, "sten", []string{"gina", "paul"}[i%2])
	}
	lists := func(username string, viewer uuid.UUID) {
		t.Helper()
		list, err := b.List(t.Context(), viewer)
		if err != nil {
			t.Fatal(err)
		}
		got, want := []uuid.UUID{}, slices.Clone(given[username])
		slices.Reverse(want)
		for _, a := range list {
			got = append(got, a.ID)
		}
		same(t, got, want[:min(len(want), assignment.MaxListed)])
	}
	lists("gina", gm)
	lists("paul", player)
	lists("sten", stranger)
	if list, err := b.List(t.Context(), uuid.New()); err != nil || len(list) != 0 {
		t.Errorf("%d in the list of nobody, error %v", len(list), err)
	}
	for range 49 {
		give(gm, harbor, "gina", "paul")
	}
	lists("gina", gm) // 202
	lists("paul", player)
	b.exec("UPDATE play.assignment SET created_at = (SELECT max(created_at) FROM play.assignment), \"character\" = repeat('ż', 201)")
	list, err := b.List(t.Context(), player)
	if err != nil || len(list) != assignment.MaxListed {
		t.Fatalf("%d in the list, error %v", len(list), err)
	}
	for i, a := range list {
		if i > 0 && strings.Compare(list[i-1].ID.String(), a.ID.String()) <= 0 {
			t.Errorf("%d: %s is after %s", i, a.ID, list[i-1].ID)
		}
		if a.Character != strings.Repeat("ż", assignment.MaxListedCharacter) {
			t.Errorf("of its character it has %q", a.Character)
		}
		if long := fmt.Sprint(a.Brief, a.Instructions, a.Boundaries, a.ReturnCondition, a.GMNotes, a.Memory); long != "" {
			t.Errorf("it has %q", long)
		}
	}
}

// TestListOrder is by age, and of what a list says.
//
// clause: P-41
func TestListOrder(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	b.pass(time.Second)
	second := b.another("paul")
	b.commit(turn(1)) // what happens to the first does not make it newer
	if _, _, err := b.GenerateToken(t.Context(), gm, b.id); err != nil {
		t.Fatal(err)
	}
	list, err := b.List(t.Context(), player)
	if err != nil || len(list) != 2 || list[0].ID != second.id {
		t.Fatalf("%+v, error %v", list, err)
	}
	want := b.session()
	want.Brief, want.Instructions, want.Boundaries, want.ReturnCondition = "", "", "", ""
	want.GMNotes, want.Memory, want.PublishedNodeIDs = "", "", nil
	same(t, list[1], want)
}
