package world_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/host"
)

var long = flag.Bool("long", false, "stop the builder twenty times as often")

// guard counts the blocks that operations change, and those of them that change
// while it is closed.
type guard struct {
	closed    atomic.Bool
	all, late atomic.Int64
}

func (g *guard) OnBlocks(all []host.Change) {
	if all[0].Cause.Kind != host.ByOperation {
		return
	}
	g.all.Add(int64(len(all)))
	if g.closed.Load() {
		g.late.Add(int64(len(all)))
	}
}
func (*guard) OnChat(host.Player, string) {}
func (*guard) OnJoin(host.Player)         {}
func (*guard) OnQuit(host.Player)         {}

// mason builds, cancels and takes back at random until it is told to end. It
// never rests because of a stop.
type mason struct {
	*talking
	random *rand.Rand
	end    chan struct{}
	key    int
}

// refusals are what a mason may hear while others stop and resume.
var refusals = []fault.Code{"paused", "busy", "nothing_to_undo", "plan_expired"}

func (m *mason) try(t *testing.T, name, arguments string) (map[string]any, bool) {
	result, refused := m.as(t, owner.String(), "default", name, arguments)
	if refused != nil && !slices.Contains(refusals, refused.Code) {
		t.Errorf("%s %s: %s: %s", name, arguments, refused.Code, refused.Message)
	}
	return result, refused == nil
}

func (m *mason) work(t *testing.T) {
	for {
		select {
		case <-m.end:
			return
		default:
		}
		x, z := m.random.IntN(16)-16, m.random.IntN(16)-16
		step := fmt.Sprintf(`{"type":"box","min":{"x":%d,"y":100,"z":%d},"max":{"x":%d,"y":%d,"z":%d},"block":"%s"}`,
			x, z, x+15, 101+m.random.IntN(8), z+15, []string{"stone", "air", "glass"}[m.random.IntN(3)])
		id := m.apply(t, "build_prepare", `{"recipe":{"version":1,"operations":[`+step+`]}}`)
		if id != "" && m.random.IntN(3) == 0 {
			m.apply(t, "operation_undo_prepare", `{"operation_id":"`+id+`"}`)
		}
	}
}

// apply has a plan made and built, as far as that goes.
func (m *mason) apply(t *testing.T, prepare, arguments string) (operation string) {
	plan, ok := m.try(t, prepare, arguments)
	if !ok || plan["changed_blocks"] == 0.0 {
		return ""
	}
	m.key++
	request := fmt.Sprintf(`{"plan_id":"%s","plan_hash":"%s","idempotency_key":"mason-%d"}`,
		text(plan["plan_id"]), text(plan["plan_hash"]), m.key)
	o, ok := m.try(t, "build_apply", request)
	for !ok {
		select {
		case <-m.end:
			return ""
		case <-time.After(time.Millisecond): // it is stopped, and the mason does not care
		}
		o, ok = m.try(t, "build_apply", request)
	}
	about := `{"operation_id":"` + text(o["operation_id"]) + `"}`
	cancels := m.random.IntN(6) == 0
	for ok && (o["status"] == "queued" || o["status"] == "applying") {
		select {
		case <-m.end:
			return ""
		case <-time.After(time.Millisecond):
		}
		if cancels && m.random.IntN(4) == 0 {
			m.try(t, "operation_cancel", about)
		}
		o, ok = m.try(t, "operation_status", about)
	}
	return text(o["operation_id"])
}

// TestStopAtAnyMoment: once a stop is acknowledged, by whichever of its ways, no
// block changes until resume, whatever is being done at that moment; it is seen
// in project_context and in the operation that is held, which then goes on.
//
// clause: W-41
func TestStopAtAnyMoment(t *testing.T) {
	t.Parallel()
	moments := 50
	if *long {
		moments = 1000
	}
	s, seen := talk(t), &guard{}
	defer s.host.Observe(seen)()
	m := &mason{talking: s, random: rand.New(rand.NewPCG(4, 1)), end: make(chan struct{})}
	gone := make(chan struct{})
	go func() { defer close(gone); m.work(t) }()
	defer func() { close(m.end); <-gone }()

	random := rand.New(rand.NewPCG(1, 4))
	idle, held, inside := 0, 0, 0
	for i := range moments {
		time.Sleep(time.Duration(random.IntN(30_000)) * time.Microsecond) // any moment
		if random.IntN(8) == 0 {
			s.poll(t, fmt.Sprintf("bridge %d", i))
			s.ask(t, "a house", "Noted.")
			s.poll(t, fmt.Sprintf("bridge %d", i))
			s.poll(t, fmt.Sprintf("bridge %d, another", i)) // takes over, which is a stop
		} else {
			s.ask(t, "stop", "Building is stopped.")
		}
		seen.closed.Store(true)
		before := seen.all.Load()

		c := s.call(t, "project_context", `{}`)
		if c["paused"] != true {
			t.Fatalf("moment %d: project_context does not say that it is stopped", i)
		}
		unfinished, _ := c["operations"].([]any)
		if idle++; len(unfinished) > 0 {
			idle--
			one, _ := unfinished[0].(map[string]any)
			o := s.call(t, "operation_status", `{"operation_id":"`+text(one["operation_id"])+`"}`)
			if active := o["status"] == "queued" || o["status"] == "applying"; active && o["paused"] != true { // its end may be told yet
				t.Fatalf("moment %d: the operation does not say that it is held: %v", i, o)
			}
			if held++; o["written"] != 0.0 {
				inside++
			}
		}
		s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[`+wall+`]}}`) // time for who does not hear

		if after := seen.all.Load(); after != before || seen.late.Load() != 0 {
			t.Fatalf("moment %d: %d blocks changed after the stop was acknowledged", i, max(after-before, seen.late.Load()))
		}
		seen.closed.Store(false)
		s.ask(t, "resume", "Building goes on.")
	}
	t.Logf("%d moments: %d without an operation, %d before its first block, %d between its blocks; %d blocks changed",
		moments, idle, held-inside, inside, seen.all.Load())
	if inside < moments/25 {
		t.Errorf("%d of %d moments were in the middle of an operation", inside, moments)
	}
	s.end(t)
}

// end waits for what still goes on.
func (s *talking) end(t *testing.T) {
	t.Helper()
	unfinished, _ := s.call(t, "project_context", `{}`)["operations"].([]any)
	for _, u := range unfinished {
		one, _ := u.(map[string]any)
		if o, err := s.Engine.Wait(t.Context(), "default", uuid.MustParse(text(one["operation_id"]))); err != nil || !o.Status.Ended() {
			t.Errorf("after resume it does not end: %s, %v", o.Status, err)
		}
	}
}
