package worldtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// ruin has a world that processes work at and die.
type ruin struct {
	testing.TB
	order
	wreck
	program string // what its processes call themselves
}

// newRuin makes a world. Its processes keep the pace of the game or not.
func newRuin(t testing.TB, seed uint64, paced bool) *ruin {
	t.Helper()
	r := &ruin{TB: t, program: "worldtest-" + uuid.NewString()}
	r.order = order{
		Folder: t.TempDir(), Database: database(t) + "&application_name=" + r.program, Seed: seed, Paced: paced,
	}
	p, closed, err := inFolder(r.Folder, poolAt(t, database(t)))
	ok(t, err)
	t.Cleanup(func() { _ = closed() })
	r.wreck = wreck{place: p}
	s, err := p.open(t.Context())
	ok(t, err)
	r.world = s.Host.Info().World
	ok(t, s.close())
	return r
}

// mourn keeps what a process that has ended was answered.
func (r *ruin) mourn(of report) {
	r.Helper()
	buried(r, r.pool, r.program)
	r.events = append(r.events, of.events...)
	r.Round++
}

// die runs a process that kills itself when it passes a point.
func (r *ruin) die(at crashpoint.Point, pass int) {
	r.Helper()
	r.Point, r.Pass = at, pass
	got := r.order.run(r)
	r.mourn(got)
	if !got.killed {
		r.Fatalf("%q was not passed %d times: %v", at, pass, got.passes)
	}
}

// calm is what a process does that nobody kills.
type calm struct {
	passes map[crashpoint.Point]int
	takes  time.Duration
}

// calms are what processes did, by their seed and whether they keep the pace.
var calms sync.Map

type once struct {
	mu sync.Mutex
	calm
}

// undisturbed runs a script to its end, once for all tests.
func undisturbed(t testing.TB, seed uint64, paced bool) calm {
	t.Helper()
	type played struct {
		seed  uint64
		paced bool
	}
	known, _ := calms.LoadOrStore(played{seed, paced}, &once{})
	c := known.(*once)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.passes == nil {
		r := newRuin(t, seed, paced)
		p := r.order.start(t)
		p.next()
		began := time.Now()
		got := p.rest(t)
		r.events = got.events
		r.wreck.inspect(t) // which no crash has harmed
		c.calm = calm{got.passes, time.Since(began)}
	}
	return c.calm
}

// early are the points that a process passes before it serves, or where there is
// something to decide about.
var early = []crashpoint.Point{crashpoint.StartupMarked, crashpoint.AbandonRead, crashpoint.AbandonDurable}

// TestKillAtEveryPoint kills a process at each point that the program names, and
// holds the next process to what is promised.
//
// clause: W-15, W-17, W-20, W-21, W-22, W-23, W-24
func TestKillAtEveryPoint(t *testing.T) {
	t.Parallel()
	rounds := uint64(1)
	if *long {
		rounds = 3
	}
	for n := range rounds {
		seed := *seed + n
		for i, point := range crashpoint.All() {
			t.Run(fmt.Sprintf("%s, seed %d", point, seed), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(seed, uint64(i)))
				paced := (seed+uint64(i))%2 == 0
				r := newRuin(t, seed, paced)
				r.meddle = random.IntN(2) == 0
				if slices.Contains(early, point) {
					first := []crashpoint.Point{crashpoint.IntentDurable, crashpoint.RegionRenamed, crashpoint.FlushDone}[random.IntN(3)]
					r.die(first, 1+random.IntN(2))
					r.die(point, 1)
				} else {
					r.die(point, 1+random.IntN(mostPasses(t, undisturbed(t, seed, paced), point)))
				}
				found := r.inspect(t)
				if want := leaves(point); !slices.Contains(want, found.unfinished) {
					t.Errorf("it left an operation %q, want one of %q", found.unfinished, want)
				}
			})
		}
	}
}

// mostPasses is how often a script surely passes a point. Where it takes its time,
// slices are as long as that allows, and so their number is not certain.
func mostPasses(t testing.TB, c calm, point crashpoint.Point) int {
	t.Helper()
	count := c.passes[point]
	if count == 0 {
		t.Fatalf("nothing passes %q", point)
	}
	return max(1, count*3/4)
}

// leaves are the statuses of what a process leaves that dies at a point, "" of
// nothing.
func leaves(point crashpoint.Point) []journal.Status {
	switch point {
	case crashpoint.OperationBegun:
		return []journal.Status{journal.Queued}
	case crashpoint.SliceChecked:
		return []journal.Status{journal.Queued, journal.Applying}
	case crashpoint.CancelDurable:
		return []journal.Status{journal.Queued, journal.Applying, ""}
	case crashpoint.StartupMarked, crashpoint.AbandonRead:
		return []journal.Status{journal.RecoveryRequired}
	case crashpoint.OperationEnded, crashpoint.PlanDurable, crashpoint.PartDurable, crashpoint.AbandonDurable,
		crashpoint.ExportWritten, crashpoint.ExportRenamed:
		return []journal.Status{""}
	default:
		return []journal.Status{journal.Applying}
	}
}

// TestKillAtAnyMoment kills processes when it pleases: some for each world, with
// what was left undecided or not.
//
// clause: W-15, W-20, W-21, W-22, W-23, W-24
func TestKillAtAnyMoment(t *testing.T) {
	t.Parallel()
	worlds := 2
	if *long {
		worlds = 20
	}
	const deaths = 5
	var mu sync.Mutex
	count := map[journal.Status]int{}
	t.Cleanup(func() { t.Logf("%d deaths; found unfinished: %v", worlds*deaths, count) })
	for n := range worlds {
		seed := *seed + uint64(n)
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 0))
			paced := seed%2 == 0
			takes := undisturbed(t, seed%2, paced).takes // of whatever seed
			r := newRuin(t, seed, paced)
			for died := 0; died < deaths; {
				got := r.killAfter(t, time.Duration(random.Int64N(int64(takes))))
				r.mourn(got)
				if !got.killed {
					continue // it was done before
				}
				died++
				if random.IntN(4) == 0 {
					continue // the next process decides
				}
				r.meddle = random.IntN(2) == 0
				found := r.inspect(t)
				mu.Lock()
				count[found.unfinished]++
				mu.Unlock()
			}
			r.inspect(t)
		})
	}
}
