package assignment_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// rounds is how many times each race is run.
var rounds = flag.Int("race-rounds", 20, "how many times each race is run")

// racers is how many run in a race of equals.
const racers = 6

// race runs a race many times, each with a session of its own at version 2 that
// has one pending consequence, and sees that the session is whole afterwards.
func race(t *testing.T, run func(b table, pending uuid.UUID)) {
	t.Parallel()
	b := newTable(t)
	for range *rounds {
		b := b.another("paul")
		run(b, b.commit(turn(1)).Consequences[0].ID)
		b.holds()
		if t.Failed() {
			return
		}
	}
}

// start runs functions at once and waits for them.
func start(all ...func()) {
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	for _, f := range all {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-gate
			f()
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
}

// answer is what a racer got.
type answer[T any] struct {
	value T
	err   error
}

// among runs n racers.
func among[T any](n int, run func(i int) (T, error)) []answer[T] {
	all, answers := make([]func(), n), make([]answer[T], n)
	for i := range n {
		all[i] = func() { answers[i].value, answers[i].err = run(i) }
	}
	start(all...)
	return answers
}

// oneWins sees that one racer won, and gives it; the others conflicted.
func oneWins[T any](t testing.TB, answers []answer[T]) (winner int) {
	t.Helper()
	winner = -1
	for i, a := range answers {
		switch {
		case a.err == nil && winner < 0:
			winner = i
		case a.err == nil:
			t.Errorf("%d and %d won", winner, i)
		case fault.CodeOf(a.err) != fault.Conflict:
			t.Errorf("error %v", a.err)
		}
	}
	if winner < 0 {
		t.Fatal("nobody won")
	}
	return winner
}

// oneWrites sees that all got the same receipt, and one as the first.
func oneWrites(t testing.TB, answers []answer[assignment.Receipt]) assignment.Receipt {
	t.Helper()
	first, written := answers[0].value, 0
	first.Replayed = true
	for _, a := range answers {
		if a.err != nil {
			t.Errorf("error %v", a.err)
		}
		if !a.value.Replayed {
			written++
		}
		a.value.Replayed = true
		same(t, a.value, first)
	}
	if written != 1 {
		t.Errorf("written %d times", written)
	}
	return first
}

// at sees at which version the session is.
func (b table) at(version int64) {
	b.t.Helper()
	if a := b.session(); a.Version != version {
		b.t.Errorf("version %d, want %d", a.Version, version)
	}
}

// clause: P-21, P-24
func TestRaceOfIdenticalRetries(t *testing.T) {
	race(t, func(b table, _ uuid.UUID) {
		one := turn(2)
		oneWrites(b.t, among(racers, func(int) (assignment.Receipt, error) { return b.Commit(b.t.Context(), b.seat, one) }))
		b.at(3)
	})
}

// clause: P-22, P-24
func TestRaceOfBodiesUnderOneID(t *testing.T) {
	race(t, func(b table, _ uuid.UUID) {
		id := uuid.New()
		bodies := make([]assignment.Turn, racers)
		for i := range bodies {
			bodies[i] = turn(2)
			bodies[i].OperationID, bodies[i].PlayerAction = id, fmt.Sprintf("action %d", i)
		}
		answers := among(racers, func(i int) (assignment.Receipt, error) {
			return b.Commit(b.t.Context(), b.seat, bodies[i])
		})
		winner := oneWins(b.t, answers)
		r, err := b.Commit(b.t.Context(), b.seat, bodies[winner])
		if err != nil || !r.Replayed {
			b.t.Errorf("%+v, error %v", r, err)
		}
		b.at(3)
	})
}

// clause: P-22, P-24
func TestRaceOfKindsUnderOneID(t *testing.T) {
	race(t, func(b table, pending uuid.UUID) {
		one, end, decisions := turn(2), ending(2), review(2, pending)
		end.OperationID, decisions.OperationID = one.OperationID, one.OperationID
		oneWins(b.t, among(3, b.each(one, end, decisions)))
		b.at(3)
	})
}

// each gives a racer each of a turn, an ending and a review.
func (b table) each(one assignment.Turn, end assignment.Ending, d assignment.Decisions) func(i int) (int64, error) {
	return func(i int) (int64, error) {
		switch i {
		case 0:
			r, err := b.Commit(b.t.Context(), b.seat, one)
			return r.Version, err
		case 1:
			r, err := b.Finish(b.t.Context(), b.seat, end)
			return r.Version, err
		default:
			r, err := b.Review(b.t.Context(), gm, b.id, d)
			return r.Version, err
		}
	}
}

// clause: P-23, P-24
func TestRaceOfTurns(t *testing.T) {
	race(t, func(b table, _ uuid.UUID) {
		oneWins(b.t, among(racers, func(int) (assignment.Receipt, error) { return b.Commit(b.t.Context(), b.seat, turn(2)) }))
		b.at(3)
	})
}

// clause: P-18, P-23, P-24
func TestRaceOfFinishAndTurn(t *testing.T) {
	race(t, func(b table, pending uuid.UUID) {
		one, end := turn(2), ending(2)
		run := b.each(one, end, assignment.Decisions{})
		winner := oneWins(b.t, among(2, run))
		b.at(3)
		if got := b.session().Status == "completed"; got != (winner == 1) {
			b.t.Errorf("completed %v, and %d won", got, winner)
		}
		// Who won is answered again, whoever lost.
		if version, err := run(winner); err != nil || version != 3 {
			b.t.Errorf("version %d, error %v", version, err)
		}
	})
}

// clause: P-23, P-24, P-43
func TestRaceOfReviewAndTurn(t *testing.T) {
	race(t, func(b table, pending uuid.UUID) {
		run := b.each(turn(2), ending(2), review(2, pending))
		oneWins(b.t, among(2, func(i int) (int64, error) { return run(2 * i) }))
		b.at(3)
	})
}

// clause: P-18, P-23, P-24, P-43
func TestRaceOfAll(t *testing.T) {
	race(t, func(b table, pending uuid.UUID) {
		oneWins(b.t, among(3, b.each(turn(2), ending(2), review(2, pending))))
		b.at(3)
	})
}

// TestRaceOfReviews decides about one consequence in many ways.
//
// clause: P-24, P-43
func TestRaceOfReviews(t *testing.T) {
	race(t, func(b table, pending uuid.UUID) {
		same := review(2, pending)
		answers := among(racers, func(i int) (assignment.Reviewed, error) {
			if i%2 == 0 {
				return b.Review(b.t.Context(), gm, b.id, same)
			}
			return b.Review(b.t.Context(), gm, b.id, review(2, pending))
		})
		written := 0
		for i, a := range answers {
			if a.err == nil && !a.value.Replayed {
				written++
			}
			if a.err != nil && fault.CodeOf(a.err) != fault.Conflict {
				b.t.Errorf("%d: error %v", i, a.err)
			}
		}
		if written != 1 {
			b.t.Errorf("written %d times", written)
		}
		b.at(3)
	})
}

// TestRaceOfLostCommits is one of identical retries that lose their connections
// at COMMIT, some before the server has it and some after it has done it.
//
// clause: P-24, P-25
func TestRaceOfLostCommits(t *testing.T) {
	var of [2]*assignment.Service
	var cuts [2]*cut
	race(t, func(b table, _ uuid.UUID) {
		for i := range of {
			if of[i] == nil {
				cuts[i] = &cut{after: i == 1}
				of[i] = b.cutting(cuts[i])
			}
			cuts[i].left.Store(1 + rand.Int64N(2))
		}
		one := turn(2)
		oneWrites(b.t, among(racers, func(i int) (assignment.Receipt, error) {
			if i < len(of) {
				return of[i].Commit(b.t.Context(), b.seat, one)
			}
			return b.Commit(b.t.Context(), b.seat, one)
		}))
		b.at(3)
	})
}

// TestRaceOfTimeouts is one of identical retries that have no time: each writes
// it, finds it written, or is told that nothing was; then who has time settles
// it.
//
// clause: P-24, P-26
func TestRaceOfTimeouts(t *testing.T) {
	var of []*assignment.Service
	told := map[fault.Code]int{}
	race(t, func(b table, _ uuid.UUID) {
		for ms := len(of) + 1; ms <= racers; ms++ {
			of = append(of, b.within("statement_timeout", strconv.Itoa(ms)))
		}
		one := turn(2)
		answers := among(racers, func(i int) (assignment.Receipt, error) { return of[i].Commit(b.t.Context(), b.seat, one) })
		r, err := b.Commit(b.t.Context(), b.seat, one)
		answers = append(answers, answer[assignment.Receipt]{r, err})
		for i := 0; i < len(answers); i++ {
			code := fault.CodeOf(answers[i].err)
			told[code]++
			if code == fault.Timeout || code == fault.Unavailable {
				answers = append(answers[:i], answers[i+1:]...)
				i--
			}
		}
		oneWrites(b.t, answers)
		b.at(3)
	})
	t.Logf("answers by code: %v", told)
}
