package playtest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// mortal is a process that is killed at random moments, and started anew by who
// needs it.
type mortal struct {
	t       *testing.T
	file    string
	random  *rand.Rand
	left    int // how often it will be killed yet
	killed  int // how often it was
	process *process
}

// moments is the time within which it is killed after it serves: some sessions
// long.
const moments = 250 * time.Millisecond

// url is where it is now.
func (m *mortal) url() string {
	m.t.Helper()
	if m.process != nil {
		select {
		case <-m.process.ended:
			m.killed++
		default:
			return m.process.url
		}
	}
	m.process = serve(m.t, m.file)
	if m.left > 0 {
		m.left--
		victim := m.process.command.Process
		time.AfterFunc(time.Duration(m.random.Int64N(int64(moments))), func() { _ = victim.Kill() })
	}
	return m.process.url
}

// script plays a session from its first turn to its finish, with reviews of what
// it leads to, and repeats all of it.
func (p *player) script(ctx context.Context) error {
	var pending []any
	for n := 1; n <= 6; n++ {
		if err := p.write(ctx, "commit_play_turn", p.turn(p.version)); err != nil {
			return err
		}
		pending = append(pending, p.last().result["consequences"].([]any)[0].(map[string]any)["id"])
		if n%3 != 0 {
			continue
		}
		if err := p.write(ctx, reviewed, map[string]any{
			"operation_id": uuid.NewString(), "expected_version": p.version,
			"decisions": []map[string]any{{"id": pending[0], "decision": "approved", "note": "So it is."}},
		}); err != nil {
			return err
		}
		pending = nil
	}
	if err := p.write(ctx, "finish_play_session", map[string]any{
		"operation_id": uuid.NewString(), "expected_version": p.version, "summary": "The lamp burns again.",
	}); err != nil {
		return err
	}
	for _, w := range p.written {
		if err := p.again(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// TestKill kills the process again and again while sessions are played over it.
// Who is not answered repeats the same. In the end every version is there once,
// by the operation that was told so, and every receipt is what its writer got.
//
// clause: P-20, P-21, P-25, P-43
func TestKill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	s, kills := newStage(t), 5
	if *long {
		kills = 50
	}
	file := configure(t, s.database, map[string]any{"admission": unbounded})
	p := serve(t, file)
	gm := logIn(t, p, "gm", s.passwords["gm"])
	p.stop(t)
	m := &mortal{t: t, file: file, random: rand.New(rand.NewPCG(seed, 2)), left: kills}
	pool := pgtest.Pool(t, s.database)
	sessions, writes, unsure, found := 0, 0, 0, 0
	seats := s.seats(t, 20)
	for m.killed < kills {
		if sessions == len(seats) {
			seats = append(seats, s.seats(t, 20)[1:]...)
		}
		era := []string{"2025-11-25", "2026-07-28"}[sessions%2]
		one := &player{seat: seats[sessions], era: era, url: m.url, version: 1, gm: gm}
		err := one.script(t.Context())
		one.hangUp()
		if err != nil {
			t.Fatalf("seed %d, session %d: %v", seed, sessions, err)
		}
		if one.check(t, pool); t.Failed() {
			t.Fatalf("seed %d, session %d", seed, sessions)
		}
		sessions, writes, unsure, found = sessions+1, writes+len(one.written), unsure+one.unsure, found+one.found
	}
	t.Logf("%d deaths, %d sessions with %d writes; %d answers missed, %d found by repeating",
		m.killed, sessions, writes, unsure, found)
}
