package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/embedded"
)

// The goals of play.
const (
	commitGoal  = 3 // times the transaction of a turn
	contextGoal = 2 // times the context of a short session
	searchGoal  = 3 // times a search in a short session
)

// How many turns a short session and a long one have.
const (
	shortSession = 100
	longSession  = 10_000
)

// How often, and for how long, each kind of call is measured.
const (
	playRounds = 15
	playTime   = 100 * time.Millisecond
	commitTime = 300 * time.Millisecond // for some turns wait until the index has taken in those before
)

// playBench is what is measured: two databases of a server, each with a process
// of the program over it.
type playBench struct {
	program     string
	short, long playing
	ends        []func()
}

// playing is a database and where it is served.
type playing struct {
	playSeed
	address string
}

// playPart measures play over MCP, with the program in a process: turns beside
// their transaction alone, what is read of a long session beside a short one.
func playPart(ctx context.Context, program string, stdout io.Writer) ([]goal, error) {
	b := &playBench{program: program}
	defer b.close()
	if err := b.open(ctx, stdout); err != nil {
		return nil, err
	}
	reads, err := b.reads()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(stdout, "play: %d rounds, %v each, %v of turns; each call has a token, is admitted, and is logged to a file\n",
		playRounds, playTime, commitTime)
	cells, err := compare(ctx, reads, playRounds, playTime)
	if err != nil {
		return nil, err
	}
	commits, err := b.commits(ctx) // now: what is read was at rest, and no connection is idle for long
	if err != nil {
		return nil, err
	}
	written, err := compare(ctx, commits, playRounds, commitTime)
	if err != nil {
		return nil, err
	}
	maps.Copy(cells, written)
	describeComparisons(stdout, slices.Concat(commits, reads), cells)
	return judgePlay(stdout, commits, reads[:1], reads[1:], cells), nil
}

func (b *playBench) close() {
	for _, end := range slices.Backward(b.ends) {
		end()
	}
}

func (b *playBench) open(ctx context.Context, stdout io.Writer) error {
	work, err := os.MkdirTemp("", "bench-play-")
	if err != nil {
		return err
	}
	b.ends = append(b.ends, func() { _ = os.RemoveAll(work) })
	cluster, err := embedded.Scratch(ctx)
	if err != nil {
		return err
	}
	server, err := cluster.Start(ctx)
	if err != nil {
		return err
	}
	b.ends = append(b.ends, server.Stop)
	for _, s := range []struct {
		*playing
		turns, written int
	}{{&b.short, shortSession, 0}, {&b.long, longSession, 2 * mostWorkers}} {
		name := fmt.Sprintf("of_%d", s.turns)
		begun := time.Now()
		if s.playSeed, err = newPlaySeed(ctx, cluster.URL(), name, s.turns, s.written); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "play: %d turns made in %.1f s\n", s.turns, time.Since(begun).Seconds())
		if err := b.serve(ctx, s.playing, filepath.Join(work, name)); err != nil {
			return err
		}
	}
	return nil
}

// serve starts the program over a database.
func (b *playBench) serve(ctx context.Context, s *playing, folder string) error {
	address, end, err := servePlay(ctx, b.program, folder, s.url)
	if err == nil {
		s.address = address
		b.ends = append(b.ends, end)
	}
	return err
}

// reads are the context of both sessions, and every search in both.
func (b *playBench) reads() ([]comparison, error) {
	missing, err := usual(b.long.turns)
	if err != nil {
		return nil, err
	}
	all := []comparison{{name: "get_play_context", levels: []int{1}}}
	arguments, holds := []any{struct{}{}}, []string{`\"agent_contract\":`}
	for _, s := range append(slices.Clone(searches), search{name: "20, none of usual words", query: missing}) {
		all = append(all, comparison{name: "search_play_memory " + s.name, levels: []int{1}})
		arguments = append(arguments, map[string]string{"query": s.query})
		if strings.Contains(s.name, "none") {
			holds = append(holds, `\"journal\":[]`)
		} else {
			holds = append(holds, `\"journal\":[{`)
		}
	}
	for i := range all {
		tool, _, _ := strings.Cut(all[i].name, " ")
		for _, s := range []*playing{&b.long, &b.short} {
			call, err := b.calling(s, tool, arguments[i], holds[i])
			if err != nil {
				return nil, err
			}
			all[i].subjects = append(all[i].subjects, subject{fmt.Sprintf("of %d", len(s.turns)), []func() error{call}})
		}
	}
	return all, nil
}

// commits are turns over MCP, and the same transactions alone. Each worker has a
// session of its own.
func (b *playBench) commits(ctx context.Context) ([]comparison, error) {
	pool, err := pg.Pool(b.long.url) // as the program's own
	if err != nil {
		return nil, err
	}
	b.ends = append(b.ends, pool.Close)
	c := comparison{name: "commit_play_turn", levels: []int{1, mostWorkers}, subjects: []subject{{name: "MCP"}, {name: "SQL"}}}
	for worker := range mostWorkers {
		call, err := b.committing(&b.long, b.long.written[worker], worker)
		if err != nil {
			return nil, err
		}
		d, err := newDirectTurns(b.long.written[mostWorkers+worker], pool, worker)
		if err != nil {
			return nil, err
		}
		c.subjects[0].workers = append(c.subjects[0].workers, call)
		c.subjects[1].workers = append(c.subjects[1].workers, func() error { return d.commit(ctx) })
	}
	return []comparison{c}, nil
}

// judgePlay holds the worst of each kind against its goal: how often what is
// first is done in the time of what is last.
func judgePlay(stdout io.Writer, commits, contexts, found []comparison, cells map[cell]samples) []goal {
	goals := []goal{
		{name: "play-commit-to-sql", bound: commitGoal, unit: "x"},
		{name: "play-context-of-long", bound: contextGoal, unit: "x"},
		{name: "play-search-of-long", bound: searchGoal, unit: "x"},
	}
	for i, all := range [][]comparison{commits, contexts, found} {
		g, worst := &goals[i], ""
		for _, c := range all {
			for _, level := range c.levels {
				measured := cells[c.cell(len(c.subjects)-1, level)].ratio(cells[c.cell(0, level)], rate)
				if worst == "" || g.worse(measured) {
					g.measured, worst = measured, fmt.Sprintf("%s, %d at a time", c.name, level)
				}
			}
		}
		fmt.Fprintf(stdout, "%s is worst with %s\n", g.name, worst)
	}
	return goals
}
