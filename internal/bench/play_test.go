package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// playedOnce makes a database with a short session, and sessions to write to.
func playedOnce(t *testing.T, written int) playSeed {
	t.Helper()
	s := playSeed{url: pgtest.URL(t, "play")}
	if err := s.fill(t.Context(), shortSession, written); err != nil {
		t.Fatal(err)
	}
	return s
}

// build makes the program once for all tests, in a folder that lasts for all of
// them.
var build = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "pharos"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", folder, "github.com/pharos-mcp/pharos/cmd/pharos").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w\n%s", err, out)
	}
	return err
})

var folder string // "" where nothing was built

func TestMain(m *testing.M) {
	status := m.Run()
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(status)
}

// TestPlaySubjects lets every subject do what it does, with the program in a
// process of its own.
func TestPlaySubjects(t *testing.T) {
	t.Parallel()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	b := &playBench{program: filepath.Join(folder, "pharos")}
	t.Cleanup(b.close)
	b.long.playSeed = playedOnce(t, 2*mostWorkers)
	logs := t.TempDir()
	if err := b.serve(t.Context(), &b.long, logs); err != nil {
		t.Fatal(err)
	}
	b.short = b.long
	reads, err := b.reads()
	if err != nil {
		t.Fatal(err)
	}
	commits, err := b.commits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range append(commits, reads...) {
		for _, s := range c.subjects {
			for n, call := range s.workers {
				for range variety + 2 {
					if err := call(); err != nil {
						said, _ := os.ReadFile(filepath.Join(logs, "log"))
						t.Fatalf("%s, %s, worker %d: %v\n%s", c.name, s.name, n, err, said[max(0, len(said)-2000):])
					}
				}
			}
		}
	}
}

// TestServePlay: a program that does not serve is no process to wait for.
func TestServePlay(t *testing.T) {
	t.Parallel()
	if _, _, err := servePlay(t.Context(), "true", t.TempDir(), "postgres://nobody"); err == nil {
		t.Error("a program that prints nothing serves play")
	}
	if _, _, err := servePlay(t.Context(), "/no/program", t.TempDir(), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want that there is no program", err)
	}
}

// TestDirectTurns: what a turn is compared with are the statements of its
// transaction, and what they write is what the turn writes.
func TestDirectTurns(t *testing.T) {
	t.Parallel()
	seed := playedOnce(t, 2)
	c, err := pgxpool.ParseConfig(seed.url)
	if err != nil {
		t.Fatal(err)
	}
	tr := &trace{}
	c.ConnConfig.Tracer = tr
	pool, err := pgxpool.NewWithConfig(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	mine, other := seed.written[0], seed.written[1]
	direct, err := newDirectTurns(mine, pool, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := direct.turns[1]
	_, err = assignment.New(assignment.Config{Pool: pool, Now: time.Now}).Commit(t.Context(),
		assignment.Seat{AssignmentID: other.ID, PlayerID: other.Player.ID},
		assignment.Turn{
			OperationID: uuid.New(), ExpectedVersion: 1, PlayerAction: text.action, Narration: text.narration,
			Memory: direct.memory, CurrentScene: other.CurrentScene, Consequences: offered,
		})
	if err != nil {
		t.Fatal(err)
	}
	want := tr.take()
	if err := direct.commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tr.take()); diff != "" || len(want) < 9 {
		t.Errorf("(-the turn's +compared with):\n%s", diff)
	}
	const rows = `SELECT a.version::text || a.memory || e.action || e.narration || e.scene || t.number || t.folded || cardinality(t.grams)
			|| (SELECT string_agg(category || description, '' ORDER BY position) FROM play.consequence AS c WHERE c.assignment_id = a.id)
			|| (SELECT count(*) FROM play.receipt AS r WHERE r.assignment_id = a.id)
		FROM play.assignment AS a
		JOIN play.event AS e ON e.assignment_id = a.id
		JOIN play.event_text AS t ON t.assignment_id = a.id
		WHERE a.id = $1`
	written := map[uuid.UUID]string{}
	for _, s := range []session{mine, other} {
		var text string
		if err := pool.QueryRow(t.Context(), rows, s.ID).Scan(&text); err != nil {
			t.Fatal(err)
		}
		written[s.ID] = text
	}
	if diff := cmp.Diff(written[other.ID], written[mine.ID]); diff != "" {
		t.Errorf("(-what the turn wrote +compared with):\n%s", diff)
	}
}

// TestJournal: what is looked for stands where it should, in journals of both
// lengths, and the usual words nowhere.
func TestJournal(t *testing.T) {
	t.Parallel()
	turns := journal(1000)
	for _, s := range searches {
		n := 0
		for _, turn := range turns {
			if strings.Contains(turn.folded, strings.ToLower(s.query)) {
				n++
			}
		}
		common := strings.HasSuffix(s.name, "common")
		switch {
		case s.once && n != 1, s.every > 0 && n != 1000/s.every && n != 1000/s.every+1, strings.HasSuffix(s.name, "none") && n != 0,
			common && n < 300:
			t.Errorf("%q (%s) is in %d of 1000 turns", s.query, s.name, n)
		}
	}
	missing, err := usual(turns)
	if err != nil || len([]rune(missing)) != 20 {
		t.Errorf("usual words that are nowhere: %q, %v", missing, err)
	}
}

// TestJudgePlay: a turn counts at the level where it takes longer beside its
// transaction, and the search that takes longer in a long session.
func TestJudgePlay(t *testing.T) {
	t.Parallel()
	commits := []comparison{{name: "commit", levels: []int{1, 8}, subjects: []subject{{name: "MCP"}, {name: "SQL"}}}}
	read := func(name string) comparison {
		return comparison{name: name, levels: []int{1}, subjects: []subject{{name: "long"}, {name: "short"}}}
	}
	cells := map[cell]samples{
		{"MCP", "commit", 1}: {{rate: 50}}, {"SQL", "commit", 1}: {{rate: 100}},
		{"MCP", "commit", 8}: {{rate: 25}}, {"SQL", "commit", 8}: {{rate: 100}},
		{"long", "context", 1}: {{rate: 80}}, {"short", "context", 1}: {{rate: 100}},
		{"long", "a", 1}: {{rate: 100}}, {"short", "a", 1}: {{rate: 100}},
		{"long", "b", 1}: {{rate: 50}}, {"short", "b", 1}: {{rate: 100}},
	}
	var text strings.Builder
	var got []string
	for _, g := range judgePlay(&text, commits, []comparison{read("context")}, []comparison{read("a"), read("b")}, cells) {
		got = append(got, g.String())
	}
	want := []string{
		"goal play-commit-to-sql 4x 3x short", "goal play-context-of-long 1.25x 2x ok", "goal play-search-of-long 2x 3x ok",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("goals (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(text.String(), "play-commit-to-sql is worst with commit, 8 at a time\n") {
		t.Errorf("got %q", text.String())
	}
}
