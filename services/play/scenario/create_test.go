package scenario_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// clause: P-50
func TestCreate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	got, err := f.Create(f.ctx(), ada, a(tale))
	at := noon.Add(time.Minute)
	want := scenario.Scenario{
		ID: tale, OwnerID: ada, Title: "The Clockmaker", Summary: "A short tale.", Language: "en", Latest: 1,
		CreatedAt: at, UpdatedAt: at,
		Versions: []scenario.Version{{Number: 1, Status: "draft", Revision: 1, CreatedAt: at}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	read, err := f.Get(f.ctx(), ada, tale)
	if diff := cmp.Diff(got, read); diff != "" || err != nil {
		t.Errorf("Get: %v (-created +read):\n%s", err, diff)
	}
	f.unchanged("a repetition", func() {
		again, err := f.Create(f.ctx(), ada, a(tale))
		if diff := cmp.Diff(got, again); diff != "" || err != nil {
			t.Errorf("again: %v (-first +again):\n%s", err, diff)
		}
	})
	f.unchanged("a refusal", func() {
		other := a(tale)
		other.Title = "Another"
		_, err := f.Create(f.ctx(), ada, other)
		refused(t, "other content", err, fault.Exists, "taken")
		_, theirs := f.Create(f.ctx(), bob, a(tale))
		if theirs == nil || err == nil || theirs.Error() != err.Error() {
			t.Errorf("of another owner: %v, want %v", theirs, err)
		}
		_, err = f.Create(f.ctx(), uuid.New(), a(uuid.New()))
		refused(t, "unknown account", err, fault.NotFound, "no such account")
	})
	must(t)(f.CreateNode(f.ctx(), ada, tale, 1, scene("yard")))
	must(t)(f.Publish(f.ctx(), ada, tale, 1, 2))
	again, err := f.Create(f.ctx(), ada, a(tale))
	if err != nil || again.Versions[0].Status != scenario.Published {
		t.Errorf("again, when it is published: %+v, %v", again, err)
	}
}

// TestCreateAtOnce creates the same scenario 20 times at once: it is made once,
// and all are told the same.
func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	made := make([]scenario.Scenario, 20)
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() {
			var err error
			if made[i], err = f.Create(f.ctx(), ada, a(tale)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, s := range made {
		if diff := cmp.Diff(made[0], s); diff != "" {
			t.Errorf("two creations:\n%s", diff)
		}
	}
}

// TestMostScenarios fills an owner's shelf.
func TestMostScenarios(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(`INSERT INTO play.scenario (id, owner_id, title, summary, language, latest, request, created_at, updated_at)
		SELECT gen_random_uuid(), $1, 'T', '', 'en', 1, sha256(''), $2, $2 FROM generate_series(1, $3::int - 1)`,
		ada, noon, scenario.MaxScenarios)
	must(t)(f.Create(f.ctx(), ada, a(tale)))
	_, err := f.Create(f.ctx(), ada, a(uuid.New()))
	refused(t, "one too many", err, fault.Conflict, "at most 500 scenarios")
	must(t)(f.Create(f.ctx(), ada, a(tale)))
	must(t)(f.Create(f.ctx(), bob, a(uuid.New())))
}

func TestList(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var ids []uuid.UUID
	for range 5 {
		id := uuid.New()
		ids = append(ids, id)
		must(t)(f.Create(f.ctx(), ada, a(id)))
	}
	must(t)(f.Create(f.ctx(), bob, a(tale)))
	must(t)(f.CreateNode(f.ctx(), ada, ids[1], 1, scene("yard")))
	must(t)(f.Publish(f.ctx(), ada, ids[1], 1, 2))
	must(t)(f.NewVersion(f.ctx(), ada, ids[1], 1))
	for _, test := range []struct {
		offset, limit int
		want          []uuid.UUID
	}{{0, 2, ids[:2]}, {2, 2, ids[2:4]}, {4, 2, ids[4:]}, {5, 1, nil}, {0, scenario.MaxPage, ids}} {
		total, list, err := f.List(f.ctx(), ada, test.offset, test.limit)
		var got []uuid.UUID
		for _, s := range list {
			got = append(got, s.ID)
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil || total != 5 {
			t.Errorf("%d, %d: %d in all, %v (-want +got):\n%s", test.offset, test.limit, total, err, diff)
		}
	}
	_, list, err := f.List(f.ctx(), ada, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := f.Get(f.ctx(), ada, ids[1])
	want := whole
	want.Versions = whole.Versions[1:]
	if diff := cmp.Diff([]scenario.Scenario{want}, list); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, page := range [][2]int{{-1, 1}, {0, 0}, {0, scenario.MaxPage + 1}, {1_000_001, 1}} {
		_, _, err := f.List(f.ctx(), ada, page[0], page[1])
		refused(t, "page", err, fault.Unprocessable, "must be from")
		_, _, err = f.Nodes(f.ctx(), ada, ids[0], 1, "", page[0], page[1])
		refused(t, "page of nodes", err, fault.Unprocessable, "must be from")
	}
}
