package assignment_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/failure"
)

// The people of these tests, and what they play.
var (
	gm       = uuid.MustParse("11111111-1111-4111-8111-111111111111")
	player   = uuid.MustParse("22222222-2222-4222-8222-222222222222")
	stranger = uuid.MustParse("33333333-3333-4333-8333-333333333333")
	harbor   = uuid.MustParse("44444444-4444-4444-8444-444444444444") // gm's scenario; version 1 is published, 2 a draft
	island   = uuid.MustParse("55555555-5555-4555-8555-555555555555") // stranger's
)

// seed makes them. By position, "pier" is the first scene that is a scene,
// "harbor" the next.
const seed = `
	INSERT INTO play.account (id, username, display_name, language, password, active, created_at, updated_at)
	SELECT id::uuid, username, initcap(username), 'en', '$argon2id$none', true, 'epoch', 'epoch'
	FROM (VALUES ('11111111-1111-4111-8111-111111111111', 'gina'), ('22222222-2222-4222-8222-222222222222', 'paul'),
		('33333333-3333-4333-8333-333333333333', 'sten')) AS a (id, username);
	INSERT INTO play.scenario (id, owner_id, title, summary, language, latest, request, created_at, updated_at) VALUES
		('44444444-4444-4444-8444-444444444444', '11111111-1111-4111-8111-111111111111', 'The harbor', '', 'en', 2,
			sha256(''), 'epoch', 'epoch'),
		('55555555-5555-4555-8555-555555555555', '33333333-3333-4333-8333-333333333333', 'The island', '', 'en', 1,
			sha256(''), 'epoch', 'epoch');
	INSERT INTO play.scenario_version (scenario_id, version, status, revision, created_at) VALUES
		('44444444-4444-4444-8444-444444444444', 1, 'draft', 1, 'epoch'),
		('44444444-4444-4444-8444-444444444444', 2, 'draft', 1, 'epoch'),
		('55555555-5555-4555-8555-555555555555', 1, 'draft', 1, 'epoch');
	INSERT INTO play.node
		(scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at)
	SELECT s.id, v, n.id, n.kind, n.position, n.id, '', '', 1, 'epoch', 'epoch'
	FROM play.scenario AS s, generate_series(1, s.latest) AS v, (VALUES
		('mira', 'npc', 0), ('pier', 'scene', 2), ('harbor', 'scene', 3), ('cellar', 'scene', 1), ('page', 'clue', 4)
	) AS n (id, kind, position);
	UPDATE play.scenario_version SET status = 'published', published_at = 'epoch' WHERE version = 1`

// noon is when these tests begin, finer than the database keeps it.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)

// table is where a session is played: a service with a clock, and one
// assignment of gm's to player.
type table struct {
	*assignment.Service
	t       testing.TB
	pool    *pgxpool.Pool
	elapsed *atomic.Int64
	id      uuid.UUID
	seat    assignment.Seat
}

// newTable makes a table in a database of its own.
func newTable(t testing.TB) table {
	t.Helper()
	pool := pgtest.Database(t, "play")
	if _, err := pool.Exec(t.Context(), seed); err != nil {
		t.Fatal(err)
	}
	elapsed := &atomic.Int64{}
	b := table{t: t, pool: pool, elapsed: elapsed}
	b.Service = b.over(pool)
	return b.another("paul")
}

// over gives a service with the same clock over other connections.
func (b table) over(pool *pgxpool.Pool) *assignment.Service {
	return assignment.New(assignment.Config{
		Pool: pool, Now: func() time.Time { return noon.Add(time.Duration(b.elapsed.Load())) },
	})
}

// another gives the table with a fresh assignment.
func (b table) another(player string) table {
	b.t.Helper()
	n := content()
	n.PlayerUsername = player
	a, replayed, err := b.Create(b.t.Context(), gm, n)
	if err != nil || replayed {
		b.t.Fatalf("create: replayed %v, error %v", replayed, err)
	}
	b.id = a.ID
	b.seat = assignment.Seat{AssignmentID: a.ID, PlayerID: a.Player.ID, Language: a.Language}
	return b
}

func (b table) pass(d time.Duration) { b.elapsed.Add(int64(d)) }

func (b table) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.pool.Exec(b.t.Context(), sql, args...); err != nil {
		b.t.Fatal(err)
	}
}

// count gives the number that a query gives.
func (b table) count(sql string, args ...any) (n int64) {
	b.t.Helper()
	if err := b.pool.QueryRow(b.t.Context(), sql, args...).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// session gives the assignment as its game master sees it.
func (b table) session() assignment.Assignment {
	b.t.Helper()
	a, _, err := b.Get(b.t.Context(), gm, b.id)
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// content is what a new assignment is made of.
func content() assignment.NewAssignment {
	return assignment.NewAssignment{
		ID: uuid.New(), ScenarioID: harbor, SourceVersion: 1, PlayerUsername: "paul", Mode: assignment.Absence,
		Language: "en", Character: "Arin, a ranger", Brief: "Arin stays behind.", Instructions: "Slowly.",
		Boundaries: "Nobody dies.", ReturnCondition: "Dawn.", GMNotes: "Mira lies.",
		PublishedNodeIDs: []string{"pier", "mira", "harbor"}, AutoApprove: []string{"resource"},
	}
}

// turn is a turn at a version, with one consequence of each status.
func turn(version int64) assignment.Turn {
	return assignment.Turn{
		OperationID: uuid.New(), ExpectedVersion: version, PlayerAction: "I help Mira.", Narration: "# Current state\nAt the harbor.",
		Memory: "# Current state\nAt the harbor.", CurrentScene: "harbor", Consequences: []assignment.Effect{
			{Category: assignment.Discovery, Description: "A torn page."},
			{Category: assignment.Resource, Description: "Three coins."},
		},
	}
}

// commit writes a turn that must be written.
func (b table) commit(t assignment.Turn) assignment.Receipt {
	b.t.Helper()
	r, err := b.Commit(b.t.Context(), b.seat, t)
	if err != nil || r.Replayed {
		b.t.Fatalf("commit: replayed %v, error %v", r.Replayed, err)
	}
	return r
}

// ending is an ending at a version.
func ending(version int64) assignment.Ending {
	return assignment.Ending{OperationID: uuid.New(), ExpectedVersion: version, Summary: "Arin returns at dawn."}
}

// review is a review at a version that approves one consequence.
func review(version int64, consequence uuid.UUID) assignment.Decisions {
	return assignment.Decisions{OperationID: uuid.New(), ExpectedVersion: version, List: []assignment.Decision{
		{ID: consequence, Decision: assignment.Approved, Note: "It fits."},
	}}
}

// refused sees that an error is a fault of a code whose message has a text.
func refused(t testing.TB, err error, code fault.Code, text string) {
	t.Helper()
	err = failure.Shown(err)
	if fault.CodeOf(err) != code || !strings.Contains(fault.From(err).Message, text) {
		t.Errorf("error %v, want %s with %q", err, code, text)
	}
}

// same compares whole values.
func same(t testing.TB, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want −, got +:\n%s", d)
	}
}

// state is everything that a session has written, to see that nothing was.
func (b table) state() string {
	b.t.Helper()
	var text string
	err := b.pool.QueryRow(context.Background(), `
		SELECT concat_ws(E'\n',
			(SELECT a::text FROM play.assignment AS a WHERE id = $1),
			(SELECT string_agg(e::text, E'\n' ORDER BY version) FROM play.event AS e WHERE assignment_id = $1),
			(SELECT string_agg(c::text, E'\n' ORDER BY version, position) FROM play.consequence AS c WHERE assignment_id = $1),
			(SELECT string_agg(r::text, E'\n' ORDER BY version) FROM play.receipt AS r WHERE assignment_id = $1),
			(SELECT string_agg(x::text, E'\n' ORDER BY version) FROM play.event_text AS x WHERE assignment_id = $1))`,
		b.id).Scan(&text)
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// unchanged runs f and sees that it wrote nothing.
func (b table) unchanged(f func()) {
	b.t.Helper()
	before := b.state()
	f()
	same(b.t, b.state(), before)
}
