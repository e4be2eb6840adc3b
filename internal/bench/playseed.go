package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/demo"
	"github.com/pharos-mcp/pharos/services/play/fold"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// playSeed is a database with a session that is read, and sessions that are
// written to.
type playSeed struct {
	url     string
	turns   []turnText // of the one that is read
	read    session
	written []session
}

// session is an assignment that somebody plays.
type session struct {
	assignment.Assignment
	token string
}

// newPlaySeed makes a database of that name on a server, with a session of so
// many turns and so many that have none yet.
func newPlaySeed(ctx context.Context, server, name string, turns, written int) (s playSeed, err error) {
	if s.url, err = makeDatabase(ctx, server, name); err != nil {
		return s, err
	}
	if err := pg.Migrate(ctx, s.url, "play"); err != nil {
		return s, err
	}
	return s, s.fill(ctx, turns, written)
}

// fill plays the demonstration.
func (s *playSeed) fill(ctx context.Context, turns, written int) error {
	pool, err := pgxpool.New(ctx, s.url)
	if err != nil {
		return err
	}
	defer pool.Close()
	const password = "correct horse battery staple"
	assignments := assignment.New(assignment.Config{Pool: pool, Now: time.Now})
	loaded, err := demo.Load(ctx, demo.Deps{
		Accounts: account.New(account.Config{Pool: pool}), Scenarios: scenario.New(scenario.Config{Pool: pool}),
		Wiki: wiki.New(wiki.Config{Pool: pool}), Assignments: assignments,
	}, demo.Options{
		GM:       account.NewAccount{Username: "greta", DisplayName: "Greta", Language: "en", Password: password},
		Player:   account.NewAccount{Username: "adam", DisplayName: "Adam", Language: "en", Password: password},
		Language: "en",
	})
	if err != nil {
		return err
	}
	var gm uuid.UUID
	if err := pool.QueryRow(ctx, "SELECT gm_id FROM play.assignment WHERE id = $1", loaded.AssignmentID).Scan(&gm); err != nil {
		return err
	}
	if s.read.Assignment, _, err = assignments.Get(ctx, gm, loaded.AssignmentID); err != nil {
		return err
	}
	for range written {
		another, err := again(ctx, assignments, s.read.Assignment)
		if err != nil {
			return err
		}
		s.written = append(s.written, session{Assignment: another})
	}
	for _, one := range append([]*session{&s.read}, pointers(s.written)...) {
		if one.token, _, err = assignments.GenerateToken(ctx, gm, one.ID); err != nil {
			return err
		}
	}
	s.turns = journal(turns)
	return s.play(ctx, pool)
}

// again assigns the same once more.
func again(ctx context.Context, to *assignment.Service, a assignment.Assignment) (assignment.Assignment, error) {
	a, _, err := to.Create(ctx, a.GM.ID, assignment.NewAssignment{
		ID: uuid.New(), ScenarioID: a.ScenarioID, SourceVersion: a.SourceVersion, PlayerUsername: a.Player.Username,
		Mode: a.Mode, Language: a.Language, Character: a.Character, Brief: a.Brief, Instructions: a.Instructions,
		Boundaries: a.Boundaries, ReturnCondition: a.ReturnCondition, GMNotes: a.GMNotes,
		PublishedNodeIDs: a.PublishedNodeIDs, AutoApprove: a.AutoApprove,
	})
	return a, err
}

func pointers[T any](list []T) (out []*T) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

// The columns of the rows that turns leave.
var (
	eventColumns = []string{"assignment_id", "version", "kind", "action", "narration", "summary", "scene", "created_at"}
	textColumns  = []string{"assignment_id", "version", "number", "folded", "grams"}
	offerColumns = []string{
		"id", "assignment_id", "version", "position", "category", "description", "status", "note", "created_at",
	}
)

// fresh is how many turns are so new that the database has not tidied up since.
const fresh = 5

// play puts the turns into the session that is read, as they are after they were
// committed.
func (s *playSeed) play(ctx context.Context, pool *pgxpool.Pool) error {
	if err := s.commit(ctx, pool, s.turns[:len(s.turns)-fresh]); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, "VACUUM (ANALYZE)"); err != nil {
		return err
	}
	if err := s.commit(ctx, pool, s.turns[len(s.turns)-fresh:]); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, "UPDATE play.assignment SET version = $2, pending = $3, memory = $4 WHERE id = $1",
		s.read.ID, s.read.Version, len(s.turns), prose(rand.New(rand.NewPCG(5, 6)), memorySize))
	return err
}

// commit writes what turns leave, but for their receipts, which nobody reads.
func (s *playSeed) commit(ctx context.Context, pool *pgxpool.Pool, turns []turnText) error {
	id, begun := s.read.ID, time.Now().Add(-time.Duration(len(s.turns))*time.Minute)
	for part := range slices.Chunk(turns, 500) {
		var events, texts, offers [][]any
		for _, t := range part {
			s.read.Version++
			number := s.read.Version - 1
			at := begun.Add(time.Duration(number) * time.Minute)
			events = append(events, []any{id, s.read.Version, "turn", t.action, t.narration, "", s.read.CurrentScene, at})
			texts = append(texts, []any{id, s.read.Version, number, t.folded, fold.Grams(id, t.folded)})
			offers = append(offers, []any{
				uuid.New(), id, s.read.Version, 1, assignment.Discovery, "It is cold.", assignment.Pending, "", at,
			})
		}
		for _, c := range []struct {
			table   string
			columns []string
			rows    [][]any
		}{{"event", eventColumns, events}, {"event_text", textColumns, texts}, {"consequence", offerColumns, offers}} {
			_, err := pool.CopyFrom(ctx, pgx.Identifier{"play", c.table}, c.columns, pgx.CopyFromRows(c.rows))
			if err != nil {
				return fmt.Errorf("%s: %w", c.table, err)
			}
		}
	}
	return nil
}
