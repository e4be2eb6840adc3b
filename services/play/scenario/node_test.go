package scenario_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// revision is that of version 1.
func (f *fixture) revision() int64 {
	f.t.Helper()
	s, err := f.Get(f.ctx(), ada, tale)
	if err != nil {
		f.t.Fatal(err)
	}
	return s.Versions[0].Revision
}

// clause: P-50
func TestNodes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	must(t)(f.Create(f.ctx(), ada, a(tale)))
	got, err := f.CreateNode(f.ctx(), ada, tale, 1, scene("yard"))
	want := scenario.Node{
		ID: "yard", Kind: "scene", Title: "Scene yard", Body: "What is seen.", GMNotes: "What is not.", Revision: 1,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(scenario.Node{}, "UpdatedAt")); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if read, err := f.Node(f.ctx(), ada, tale, 1, "yard"); err != nil || read != got || f.revision() != 2 {
		t.Errorf("read %+v, %v; the version is at %d", read, err, f.revision())
	}
	f.unchanged("a repetition", func() {
		if again, err := f.CreateNode(f.ctx(), ada, tale, 1, scene("yard")); err != nil || again != got {
			t.Errorf("again: %+v, %v", again, err)
		}
	})
	content := scenario.NodeContent{Kind: "place", Title: "The yard", Body: "b", GMNotes: "g", Position: new32(3)}
	f.unchanged("a refusal", func() {
		other := scene("yard")
		other.Body = "Other."
		_, err := f.CreateNode(f.ctx(), ada, tale, 1, other)
		refused(t, "other content", err, fault.Exists, "another node")
		other = scene("yard")
		other.Position = new32(1)
		_, err = f.CreateNode(f.ctx(), ada, tale, 1, other)
		refused(t, "other position", err, fault.Exists, "another node")
		for _, expected := range []int64{0, 2, -1} {
			text := fmt.Sprintf("revision is 1, not %d; read it again", expected)
			_, err = f.UpdateNode(f.ctx(), ada, tale, 1, "yard", expected, content)
			refused(t, "stale", err, fault.Conflict, text)
			refused(t, "stale", f.DeleteNode(f.ctx(), ada, tale, 1, "yard", expected), fault.Conflict, text)
		}
		_, err = f.UpdateNode(f.ctx(), ada, tale, 1, "mill", 1, content)
		refused(t, "unknown node", err, fault.NotFound, "no such node")
		refused(t, "unknown node", f.DeleteNode(f.ctx(), ada, tale, 1, "mill", 1), fault.NotFound, "no such node")
		_, err = f.CreateNode(f.ctx(), ada, tale, 2, scene("mill"))
		refused(t, "unknown version", err, fault.NotFound, "no such version")
		_, err = f.Node(f.ctx(), ada, tale, 1, "mill")
		refused(t, "unknown node", err, fault.NotFound, "no such node")
	})
	got, err = f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 1, content)
	want = scenario.Node{ID: "yard", Kind: "place", Title: "The yard", Body: "b", GMNotes: "g", Position: 3, Revision: 2}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(scenario.Node{}, "UpdatedAt")); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if read, err := f.Node(f.ctx(), ada, tale, 1, "yard"); err != nil || read != got || f.revision() != 3 {
		t.Errorf("read %+v, %v; the version is at %d", read, err, f.revision())
	}
	content.Position = nil
	if got, err = f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 2, content); err != nil || got.Position != 3 {
		t.Errorf("without a position: %+v, %v", got, err)
	}
	f.unchanged("a refusal", func() {
		_, err := f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 2, content)
		refused(t, "the same again", err, fault.Conflict, "revision is 3, not 2; read it again")
	})
	if err := f.DeleteNode(f.ctx(), ada, tale, 1, "yard", 3); err != nil || f.revision() != 5 {
		t.Errorf("delete: %v; the version is at %d", err, f.revision())
	}
	refused(t, "delete again", f.DeleteNode(f.ctx(), ada, tale, 1, "yard", 3), fault.NotFound, "no such node")
}

func TestOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	must(t)(f.Create(f.ctx(), ada, a(tale)))
	for _, n := range []struct {
		id, kind string
		position *int32
	}{
		{"zeta", "scene", nil}, {"b-2", "npc", new32(5)}, {"b", "npc", new32(5)}, {"a", "scene", new32(5)},
		{"late", "clue", nil}, {"last", "place", new32(scenario.MaxPosition)}, {"past", "clue", nil},
	} {
		must(t)(f.CreateNode(f.ctx(), ada, tale, 1, scenario.NewNode{ID: n.id, Kind: n.kind, Title: "T", Position: n.position}))
	}
	for _, test := range []struct {
		kind          string
		offset, limit int
		total         int
		want          string
	}{
		{"", 0, 10, 7, "[zeta@0 a@5 b@5 b-2@5 late@6 last@1000000 past@1000000]"},
		{"", 2, 3, 7, "[b@5 b-2@5 late@6]"},
		{"", 7, 3, 7, "[]"},
		{"npc", 0, 10, 2, "[b@5 b-2@5]"},
		{"scene", 1, 10, 2, "[a@5]"},
		{"place", 0, 1, 1, "[last@1000000]"},
	} {
		total, list, err := f.Nodes(f.ctx(), ada, tale, 1, test.kind, test.offset, test.limit)
		got := []string{}
		for _, n := range list {
			got = append(got, fmt.Sprintf("%s@%d", n.ID, n.Position))
		}
		if err != nil || fmt.Sprint(got) != test.want || total != test.total {
			t.Errorf("%+v: %v of %d, %v", test, got, total, err)
		}
	}
	_, _, err := f.Nodes(f.ctx(), ada, tale, 1, "song", 0, 10)
	refused(t, "unknown kind", err, fault.Unprocessable, "kind must be one of scene, npc, place, clue")
}

// TestChangesAtOnce changes one node 20 times at once, from the same revision.
//
// clause: P-50
func TestChangesAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write()
	oneWins(t, fault.Conflict, func(i int) error {
		if i%2 == 0 {
			return f.DeleteNode(f.ctx(), ada, tale, 1, "yard", 7) // stale in any case
		}
		_, err := f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 1, scenario.NodeContent{Kind: "scene", Title: fmt.Sprint(i)})
		return err
	})
	if n, err := f.Node(f.ctx(), ada, tale, 1, "yard"); err != nil || n.Revision != 2 || f.revision() != 3 {
		t.Errorf("%+v, %v; the version is at %d", n, err, f.revision())
	}
	oneWins(t, fault.Exists, func(i int) error {
		n := scene("mill")
		n.Title = fmt.Sprint(i)
		_, err := f.CreateNode(f.ctx(), ada, tale, 1, n)
		return err
	})
	oneWins(t, fault.NotFound, func(int) error { return f.DeleteNode(f.ctx(), ada, tale, 1, "mill", 1) })
	if got := f.revision(); got != 5 {
		t.Errorf("the version is at %d, want 5", got)
	}
}

// TestPublishAtOnce publishes a version while its nodes change: what was changed
// before counts, and what comes after is refused.
func TestPublishAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write()
	oneWins(t, fault.Conflict, func(i int) error {
		if i%2 == 0 {
			_, err := f.Publish(f.ctx(), ada, tale, 1, 1) // stale in any case
			return err
		}
		if i == 1 {
			_, err := f.Publish(f.ctx(), ada, tale, 1, 2)
			return err
		}
		_, err := f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 1, scenario.NodeContent{Kind: "scene", Title: fmt.Sprint(i)})
		return err
	})
}

// TestMostNodes fills a version.
func TestMostNodes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write()
	f.exec(`INSERT INTO play.node (scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at)
		SELECT $1, 1, 'n' || n, 'clue', 1, 'T', '', '', 1, $2, $2 FROM generate_series(1, $3::int - 2) AS n`,
		tale, noon, scenario.MaxNodes)
	must(t)(f.CreateNode(f.ctx(), ada, tale, 1, scene("last")))
	_, err := f.CreateNode(f.ctx(), ada, tale, 1, scene("more"))
	refused(t, "one too many", err, fault.Conflict, "at most 500 nodes")
	must(t)(f.CreateNode(f.ctx(), ada, tale, 1, scene("last")))
	total, list, err := f.Nodes(f.ctx(), ada, tale, 1, "", 0, scenario.MaxPage)
	if err != nil || total != scenario.MaxNodes || len(list) != scenario.MaxNodes {
		t.Errorf("%d of %d, %v", len(list), total, err)
	}
	must(t)(f.Publish(f.ctx(), ada, tale, 1, f.revision()))
	must(t)(f.NewVersion(f.ctx(), ada, tale, 1))
	if total, _, err := f.Nodes(f.ctx(), ada, tale, 2, "", 0, 1); err != nil || total != scenario.MaxNodes {
		t.Errorf("%d copies, %v", total, err)
	}
}
