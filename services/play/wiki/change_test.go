package wiki_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// clause: P-50
func TestPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	got := f.write("guild", "The guild", "Nine members.")
	at := noon.Add(time.Minute)
	want := wiki.Page{ID: "guild", Title: "The guild", Body: "Nine members.", Revision: 1, CreatedAt: at, UpdatedAt: at}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.unchanged("a repetition", func() {
		if again := f.write("guild", "The guild", "Nine members."); again != got {
			t.Errorf("again: %+v", again)
		}
	})
	f.unchanged("a refusal", func() {
		_, err := f.Create(f.ctx(), ada, "guild", "The guild", "Ten members.")
		refused(t, "other content", err, fault.Exists, "another wiki page")
		_, err = f.Create(f.ctx(), uuid.New(), "guild", "The guild", "")
		refused(t, "unknown account", err, fault.NotFound, "no such account")
		for _, expected := range []int64{0, 2, -1} {
			text := fmt.Sprintf("revision is 1, not %d; read it again", expected)
			_, err = f.Update(f.ctx(), ada, "guild", expected, "T", "")
			refused(t, "stale", err, fault.Conflict, text)
			refused(t, "stale", f.Delete(f.ctx(), ada, "guild", expected), fault.Conflict, text)
		}
	})
	got, err := f.Update(f.ctx(), ada, "guild", 1, "Guild", "Ten.")
	want.Title, want.Body, want.Revision, want.UpdatedAt = "Guild", "Ten.", 2, got.UpdatedAt
	if diff := cmp.Diff(want, got); diff != "" || err != nil || !got.UpdatedAt.After(at) {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	read, err := f.Read(f.ctx(), ada, "guild")
	if diff := cmp.Diff(got, read); diff != "" || err != nil {
		t.Errorf("%v (-written +read):\n%s", err, diff)
	}
	f.unchanged("a refusal", func() {
		_, err := f.Update(f.ctx(), ada, "guild", 1, "Guild", "Ten.")
		refused(t, "the same again", err, fault.Conflict, "revision is 2, not 1; read it again")
	})
	if err := f.Delete(f.ctx(), ada, "guild", 2); err != nil {
		t.Error(err)
	}
	refused(t, "delete again", f.Delete(f.ctx(), ada, "guild", 2), fault.NotFound, "no such wiki page")
	if total, list, err := f.List(f.ctx(), ada, 0, 1); total != 0 || len(list) != 0 || err != nil {
		t.Errorf("%d, %+v, %v", total, list, err)
	}
}

// TestOthers calls everything with a page that another owner has and with one
// that nobody has: the two are told in the same words.
//
// clause: P-50
func TestOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("guild", "The guild", "Nine members.")
	f.unchanged("another owner", func() {
		for name, call := range map[string]func(id string) error{
			"Read":   func(id string) error { _, err := f.Read(f.ctx(), bob, id); return err },
			"Update": func(id string) error { _, err := f.Update(f.ctx(), bob, id, 1, "T", ""); return err },
			"Delete": func(id string) error { return f.Delete(f.ctx(), bob, id, 1) },
		} {
			unknown := call("nobody")
			refused(t, name, unknown, fault.NotFound, "there is no such wiki page")
			if theirs := call("guild"); theirs == nil || theirs.Error() != unknown.Error() {
				t.Errorf("%s: %v of another's, %v of none", name, theirs, unknown)
			}
		}
	})
	if hits, err := f.Search(f.ctx(), bob, "nine"); len(hits) != 0 || err != nil {
		t.Errorf("Search: %+v, %v", hits, err)
	}
	if total, list, err := f.List(f.ctx(), bob, 0, 10); total != 0 || len(list) != 0 || err != nil {
		t.Errorf("List: %d, %+v, %v", total, list, err)
	}
	if _, err := f.Create(f.ctx(), bob, "guild", "My guild", ""); err != nil {
		t.Errorf("a page of the same identifier: %v", err)
	}
	if p, err := f.Read(f.ctx(), ada, "guild"); err != nil || p.Title != "The guild" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestChangesAtOnce changes and creates pages, 20 times at once: one is made
// each time.
//
// clause: P-50
func TestChangesAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("guild", "The guild", "")
	for name, test := range map[string]struct {
		code fault.Code
		do   func(i int) error
	}{
		"update": {fault.Conflict, func(i int) error {
			_, err := f.Update(f.ctx(), ada, "guild", 1, "The guild", fmt.Sprint(i))
			return err
		}},
		"create": {fault.Exists, func(i int) error {
			_, err := f.Create(f.ctx(), ada, "mill", "The mill", fmt.Sprint(i))
			return err
		}},
	} {
		errs := make([]error, 20)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = test.do(i) })
		}
		all.Wait()
		got := map[fault.Code]int{}
		for _, err := range errs {
			got[fault.CodeOf(err)]++
		}
		if got[""] != 1 || got[test.code] != 19 {
			t.Errorf("%s: %v", name, got)
		}
	}
	if p, err := f.Read(f.ctx(), ada, "guild"); err != nil || p.Revision != 2 {
		t.Errorf("%+v, %v", p, err)
	}
}

// clause: P-50
func TestList(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, id := range []string{"b", "a-2", "c", "a", "a0"} {
		f.write(id, "Title "+id, "Body "+id)
	}
	for _, test := range []struct {
		offset, limit int
		want          string
	}{{0, 2, "[a a-2]"}, {2, 2, "[a0 b]"}, {4, 2, "[c]"}, {5, 1, "[]"}, {0, wiki.MaxPage, "[a a-2 a0 b c]"}} {
		total, list, err := f.List(f.ctx(), ada, test.offset, test.limit)
		got := []string{}
		for _, p := range list {
			got = append(got, p.ID)
			if p.Title != "Title "+p.ID || p.Body != "" || p.Revision != 1 || p.CreatedAt.Before(noon) {
				t.Errorf("%+v", p)
			}
		}
		if fmt.Sprint(got) != test.want || total != 5 || err != nil {
			t.Errorf("%+v: %v of %d, %v", test, got, total, err)
		}
	}
	for _, page := range [][2]int{{-1, 1}, {0, 0}, {0, wiki.MaxPage + 1}, {1_000_001, 1}} {
		_, _, err := f.List(f.ctx(), ada, page[0], page[1])
		refused(t, "page", err, fault.Unprocessable, "must be from")
	}
}

// clause: P-50
func TestBounds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("old", "T", "")
	revision := int64(1)
	for i, c := range []string{"a", "ż", "桜", "🗝", "\u0301"} { // one to four bytes, and a mark that combines
		for _, test := range []struct {
			name        string
			title, body string
			ok          bool
		}{
			{"title", strings.Repeat(c, wiki.MaxTitle), "", true},
			{"title", strings.Repeat(c, wiki.MaxTitle+1), "", false},
			{"body", "T", strings.Repeat(c, wiki.MaxBody), true},
			{"body", "T", strings.Repeat(c, wiki.MaxBody+1), false},
		} {
			_, created := f.Create(f.ctx(), ada, fmt.Sprintf("%s-%d", test.name, i), test.title, test.body)
			p, updated := f.Update(f.ctx(), ada, "old", revision, test.title, test.body)
			if test.ok && (created != nil || updated != nil || p.Title != test.title || p.Body != test.body) {
				t.Errorf("%s of %q: %v, %v", test.name, c, created, updated)
			}
			if test.ok {
				revision++
			} else {
				refused(t, "create", created, fault.Unprocessable, test.name+" has")
				refused(t, "update", updated, fault.Unprocessable, test.name+" has")
			}
		}
	}
	f.unchanged("a refusal", func() {
		for _, test := range []struct {
			id, title, body string
			code            fault.Code
			part            string
		}{
			{"x", "", "", fault.Unprocessable, "title has 0"},
			{"x", " \n", "", fault.Unprocessable, "title is blank"},
			{"x", "T\x00", "", fault.Invalid, "title has U+0000"},
			{"x", "T", "\xff", fault.Invalid, "body has"},
			{"", "T", "", fault.Unprocessable, "id must have 1 to 64"},
			{"-x", "T", "", fault.Unprocessable, "id must have 1 to 64"},
			{"X", "T", "", fault.Unprocessable, "id must have 1 to 64"},
			{strings.Repeat("x", 65), "T", "", fault.Unprocessable, "id must have 1 to 64"},
		} {
			_, err := f.Create(f.ctx(), ada, test.id, test.title, test.body)
			refused(t, "create", err, test.code, test.part)
		}
	})
	f.write(strings.Repeat("x", 64), "T", "")
}

// TestMostPages fills a wiki.
func TestMostPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(`INSERT INTO play.wiki_page (owner_id, id, title, body, revision, folded, grams, created_at, updated_at)
		SELECT $1, 'p' || n, 'T', '', 1, 't', '{}', $2, $2 FROM generate_series(1, $3::int - 1) AS n`, ada, noon, wiki.MaxPages)
	f.write("last", "The last", "")
	_, err := f.Create(f.ctx(), ada, "more", "One more", "")
	refused(t, "one too many", err, fault.Conflict, "at most 2000 wiki pages")
	f.write("last", "The last", "")
	if err := f.Delete(f.ctx(), ada, "p1", 1); err != nil {
		t.Error(err)
	}
	f.write("more", "One more", "")
}
