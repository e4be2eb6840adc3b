package scenario_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// clause: P-50
func TestPublish(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	must(t)(f.Create(f.ctx(), ada, a(tale)))
	must(t)(f.CreateNode(f.ctx(), ada, tale, 1, scenario.NewNode{ID: "smith", Kind: scenario.NPC, Title: "The smith"}))
	f.unchanged("a refusal", func() {
		_, err := f.Publish(f.ctx(), ada, tale, 1, 2)
		refused(t, "without a scene", err, fault.Unprocessable, "without a scene")
		_, err = f.Publish(f.ctx(), ada, tale, 1, 1)
		refused(t, "stale", err, fault.Conflict, "revision is 2, not 1; read it again")
		_, err = f.Publish(f.ctx(), ada, tale, 2, 1)
		refused(t, "unknown version", err, fault.NotFound, "no such version")
		_, err = f.Publish(f.ctx(), ada, tale, 0, 1)
		refused(t, "version 0", err, fault.NotFound, "no such version")
		_, err = f.NewVersion(f.ctx(), ada, tale, 1)
		refused(t, "new version of a draft", err, fault.Conflict, "still a draft")
	})
	must(t)(f.CreateNode(f.ctx(), ada, tale, 1, scene("yard")))
	got, err := f.Publish(f.ctx(), ada, tale, 1, 3)
	want := []scenario.Version{{
		Number: 1, Status: "published", Revision: 3, CreatedAt: noon.Add(time.Minute), PublishedAt: &got.UpdatedAt,
	}}
	if diff := cmp.Diff(want, got.Versions); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	f.unchanged("a repetition", func() {
		again, err := f.Publish(f.ctx(), ada, tale, 1, 3)
		if diff := cmp.Diff(got, again); diff != "" || err != nil {
			t.Errorf("again: %v (-first +again):\n%s", err, diff)
		}
		_, err = f.Publish(f.ctx(), ada, tale, 1, 2)
		refused(t, "again, of another revision", err, fault.Conflict, "revision is 3, not 2; read it again")
	})
}

// clause: P-50
func TestNewVersion(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write()
	second := scene("mill")
	second.Position = new32(7)
	must(t)(f.CreateNode(f.ctx(), ada, tale, 1, second))
	must(t)(f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 1, scenario.NodeContent{Kind: "scene", Title: "Yard", Body: "ż"}))
	must(t)(f.Publish(f.ctx(), ada, tale, 1, 4))
	f.unchanged("a refusal", func() {
		_, err := f.NewVersion(f.ctx(), ada, tale, 0)
		refused(t, "stale", err, fault.Conflict, "the latest version is 1, not 0; read it again")
		_, err = f.NewVersion(f.ctx(), ada, tale, 2)
		refused(t, "future", err, fault.Conflict, "the latest version is 1, not 2; read it again")
	})
	got, err := f.NewVersion(f.ctx(), ada, tale, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := scenario.Version{Number: 2, Status: "draft", Revision: 1, CreatedAt: got.UpdatedAt}
	if diff := cmp.Diff(want, got.Versions[1]); diff != "" || got.Latest != 2 || len(got.Versions) != 2 {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
	_, old, err := f.Nodes(f.ctx(), ada, tale, 1, "", 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i := range old { // as new ones
		old[i].Revision, old[i].UpdatedAt = 1, got.UpdatedAt
	}
	_, copies, err := f.Nodes(f.ctx(), ada, tale, 2, "", 0, 10)
	if diff := cmp.Diff(old, copies); diff != "" || err != nil || len(copies) != 2 {
		t.Errorf("%v (-old +copies):\n%s", err, diff)
	}
	f.unchanged("a refusal", func() {
		_, err := f.NewVersion(f.ctx(), ada, tale, 1)
		refused(t, "again", err, fault.Conflict, "the latest version is 2, not 1; read it again")
	})
	must(t)(f.UpdateNode(f.ctx(), ada, tale, 2, "yard", 1, scenario.NodeContent{Kind: "scene", Title: "Another yard"}))
	if n, err := f.Node(f.ctx(), ada, tale, 1, "yard"); err != nil || n.Title != "Yard" {
		t.Errorf("version 1 has %+v, %v", n, err)
	}
}

// TestVersionsAtOnce makes versions, 20 at once: one is made each time.
//
// clause: P-50
func TestVersionsAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.publish()
	oneWins(t, fault.Conflict, func(int) error { _, err := f.NewVersion(f.ctx(), ada, tale, 1); return err })
	if s, err := f.Get(f.ctx(), ada, tale); err != nil || s.Latest != 2 || len(s.Versions) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestMostVersions makes the last version that a scenario can have.
func TestMostVersions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.publish()
	f.exec(`INSERT INTO play.scenario_version (scenario_id, version, status, revision, created_at, published_at)
		SELECT $1, n, 'published', 1, $2, $2 FROM generate_series(2, $3::int - 1) AS n`, tale, noon, scenario.MaxVersions)
	f.exec("UPDATE play.scenario SET latest = $1", scenario.MaxVersions-1)
	s, err := f.NewVersion(f.ctx(), ada, tale, scenario.MaxVersions-1)
	if err != nil || len(s.Versions) != scenario.MaxVersions {
		t.Fatalf("%d versions, %v", len(s.Versions), err)
	}
	must(t)(f.CreateNode(f.ctx(), ada, tale, scenario.MaxVersions, scene("yard")))
	must(t)(f.Publish(f.ctx(), ada, tale, scenario.MaxVersions, 2))
	_, err = f.NewVersion(f.ctx(), ada, tale, scenario.MaxVersions)
	refused(t, "one too many", err, fault.Conflict, "at most 200 versions")
}

// oneWins does something 20 times at once: one is done, and the others are
// faults with a code.
func oneWins(t *testing.T, code fault.Code, do func(i int) error) {
	t.Helper()
	errs := make([]error, 20)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	got := map[string]int{}
	for _, err := range errs {
		got[string(fault.CodeOf(err))]++
		if err != nil && fault.CodeOf(err) != code {
			t.Error(err)
		}
	}
	if want := fmt.Sprint(map[string]int{"": 1, string(code): 19}); fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
