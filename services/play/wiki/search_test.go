package wiki_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// clause: P-50
func TestSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("zrodlo", "Źródło", "Łąka nad rzeką, 100% wody; it's _deep_ \\ cold.")
	f.write("wolf", "The Wolf", "Grey fur.\n\nIt howls   at NIGHT & day | (moon:*)")
	f.write("empty", "Nothing", "")
	for query, want := range map[string]string{
		"zrodlo":      "[zrodlo]",
		"ŹRÓDŁO":      "[zrodlo]",
		"laka":        "[zrodlo]",
		"z\u0301rod":  "[zrodlo]", // decomposed
		"100%":        "[zrodlo]",
		"_deep_":      "[zrodlo]",
		"it's":        "[zrodlo]",
		`\ cold`:      "[zrodlo]",
		"%":           "[zrodlo]",
		"_":           "[zrodlo]",
		"Gr%r":        "[]",
		"Gr_y":        "[]",
		"howls at":    "[wolf]", // white space is one space
		"night & day": "[wolf]",
		"(moon:*)":    "[wolf]",
		"olf":         "[wolf]", // inside of a word
		"wolf grey":   "[]",     // not from the title into the body
		"o":           "[empty wolf zrodlo]",
		"no":          "[empty]",
		"xyz":         "[]",
		"\u0301":      "[]", // nothing is left of it
		" wolf ":      "[wolf]",
		"moon:* & !":  "[]",
		"';--":        "[]",
	} {
		hits, err := f.Search(f.ctx(), ada, query)
		got := []string{}
		for _, h := range hits {
			got = append(got, h.ID)
		}
		if fmt.Sprint(got) != want || err != nil {
			t.Errorf("%q: %v, %v, want %s", query, got, err, want)
		}
	}
	hits, err := f.Search(f.ctx(), ada, "HOWLS at")
	want := []wiki.Hit{{ID: "wolf", Title: "The Wolf", Excerpt: "Grey fur.\n\nIt howls   at NIGHT & day | (moon:*)"}}
	if diff := cmp.Diff(want, hits); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestSearchFollows changes what is searched.
//
// clause: P-50
func TestSearchFollows(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("wolf", "The wolf", "Grey.")
	found := func(query string, want int) {
		t.Helper()
		if hits, err := f.Search(f.ctx(), ada, query); len(hits) != want || err != nil {
			t.Errorf("%q: %+v, %v, want %d", query, hits, err, want)
		}
	}
	found("grey", 1)
	if _, err := f.Update(f.ctx(), ada, "wolf", 1, "The wolf", "White."); err != nil {
		t.Fatal(err)
	}
	found("grey", 0)
	found("white", 1)
	if err := f.Delete(f.ctx(), ada, "wolf", 2); err != nil {
		t.Fatal(err)
	}
	found("white", 0)
}

// clause: P-50
func TestSearchBounds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	long := strings.Repeat("ż", wiki.MaxQuery)
	for i := range wiki.MaxHits + 1 {
		f.write(fmt.Sprintf("p%02d", i), "Page", strings.Repeat("before ", 1000)+"amber 🗝 key"+strings.Repeat(" after", 1000))
	}
	f.write("long", "Long", "x"+long+"ż")
	hits, err := f.Search(f.ctx(), ada, "AMBER")
	if len(hits) != wiki.MaxHits || err != nil || hits[0].ID != "p00" || hits[19].ID != "p19" {
		t.Errorf("%d hits, %v", len(hits), err)
	}
	for _, h := range hits {
		if n := utf8.RuneCountInString(h.Excerpt); n > wiki.MaxExcerpt || n < wiki.MaxExcerpt/2 || !strings.Contains(h.Excerpt, "amber 🗝 key") {
			t.Errorf("excerpt of %d characters: %s", n, h.Excerpt)
		}
	}
	if hits, err := f.Search(f.ctx(), ada, "page"); len(hits) != wiki.MaxHits || err != nil {
		t.Errorf("%d hits by title, %v", len(hits), err)
	}
	if hits, err := f.Search(f.ctx(), ada, long); len(hits) != 1 || err != nil {
		t.Errorf("the longest query: %+v, %v", hits, err)
	}
	_, err = f.Search(f.ctx(), ada, long+"ż")
	refused(t, "too long", err, fault.Unprocessable, "query has 201 characters")
	for query, code := range map[string]fault.Code{
		"": fault.Unprocessable, " \t\u00a0": fault.Unprocessable, "a\x00": fault.Invalid, "\xff": fault.Invalid,
	} {
		_, err := f.Search(f.ctx(), ada, query)
		refused(t, fmt.Sprintf("%q", query), err, code, "query ")
	}
}

// TestSearchByGrams sees that a search reads the index of grams, whatever the
// planner thinks of reading every page.
func TestSearchByGrams(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 30 {
		f.write(fmt.Sprintf("p%d", i), "Page", strings.Repeat(fmt.Sprintf("page %d, ", i), 300))
	}
	f.exec("ANALYZE")
	config := f.pool.Config()
	config.MaxConns = 1 // which counts for itself
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	f.Service = service(pool)
	scans := func() (byGrams, all int64) {
		t.Helper()
		if _, err := pool.Exec(f.ctx(), "SELECT pg_stat_force_next_flush()"); err != nil {
			t.Fatal(err)
		}
		err := pool.QueryRow(f.ctx(), `SELECT i.idx_scan, t.seq_scan
			FROM pg_stat_user_indexes AS i JOIN pg_stat_user_tables AS t ON t.relid = i.relid
			WHERE i.indexrelname = 'wiki_page_by_gram'`).Scan(&byGrams, &all)
		if err != nil {
			t.Fatal(err)
		}
		return byGrams, all
	}
	byGrams, all := scans()
	const searches = 12 // the first five are planned each for itself
	for range searches {
		if hits, err := f.Search(f.ctx(), ada, "page 7"); len(hits) != 1 || err != nil {
			t.Errorf("%+v, %v", hits, err)
		}
	}
	if again, allAgain := scans(); again-byGrams != searches || allAgain != all {
		t.Errorf("%d searches read the index %d times, and every page %d times", searches, again-byGrams, allAgain-all)
	}
}

// TestSearchUnheard: of a wiki that is newer than what the planner knows, each
// page that may have the text is read once, not all for each of them.
func TestSearchUnheard(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 30 {
		if _, err := f.Create(f.ctx(), bob, fmt.Sprintf("p%d", i), "Page", "They sleep."); err != nil {
			t.Fatal(err)
		}
	}
	f.exec("ANALYZE play.wiki_page")
	const many = 120
	for i := range many {
		f.write(fmt.Sprintf("p%d", i), "Page", "They sleep. Zzz.") // as in the query, and still not the same
	}
	config := f.pool.Config()
	config.MaxConns = 1 // which counts for itself
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	f.Service = service(pool)
	fetched := func() (n int64) {
		t.Helper()
		if _, err := pool.Exec(f.ctx(), "SELECT pg_stat_force_next_flush()"); err != nil {
			t.Fatal(err)
		}
		err := pool.QueryRow(f.ctx(), `SELECT idx_tup_fetch FROM pg_stat_user_tables
			WHERE relid = 'play.wiki_page'::regclass`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := fetched()
	if hits, err := f.Search(f.ctx(), ada, "zzzzzz"); len(hits) > 0 || err != nil {
		t.Errorf("%+v, %v", hits, err)
	}
	if n := fetched() - before; n < many || n > 4*many {
		t.Errorf("a search among %d pages read %d", many, n)
	}
}
