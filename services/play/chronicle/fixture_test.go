package chronicle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/fold"
)

// start is when everything of these tests begins.
var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// identifier gives the n-th identifier of a kind.
func identifier(kind, n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("%08d-0000-4000-8000-%012d", kind, n))
}

// stage is a database with sessions in it.
type stage struct {
	*chronicle.Service
	t    testing.TB
	pool *pgxpool.Pool
}

func newStage(t testing.TB) *stage {
	t.Helper()
	return stageAt(t, pgtest.Database(t, "play"))
}

// stageAt makes a stage of a database with nothing in it.
func stageAt(t testing.TB, pool *pgxpool.Pool) *stage {
	t.Helper()
	s := &stage{chronicle.New(chronicle.Config{Pool: pool}), t, pool}
	for n, name := range []string{"gm", "player"} {
		s.exec(`INSERT INTO play.account (id, username, display_name, language, password, active, created_at, updated_at)
			VALUES ($1, $2, $3, 'en', '$argon2id$none', true, $4, $4)`, identifier(1, n), name, "The "+name, start)
	}
	return s
}

func (s *stage) exec(sql string, args ...any) {
	s.t.Helper()
	if _, err := s.pool.Exec(s.t.Context(), sql, args...); err != nil {
		s.t.Fatal(err)
	}
}

// node is a node of a scenario.
type node struct{ id, kind, title, body, notes string }

// scenario makes the n-th scenario, with a published version of these nodes.
func (s *stage) scenario(n int, title string, nodes ...node) {
	s.t.Helper()
	id := identifier(2, n)
	s.exec(`INSERT INTO play.scenario (id, owner_id, title, summary, language, latest, request, created_at, updated_at)
		VALUES ($1, $2, $3, '', 'en', 1, sha256(''), $4, $4)`, id, identifier(1, 0), title, start)
	s.exec(`INSERT INTO play.scenario_version (scenario_id, version, status, revision, created_at)
		VALUES ($1, 1, 'draft', 1, $2)`, id, start)
	for i, n := range nodes {
		s.exec(`INSERT INTO play.node (scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at)
			VALUES ($1, 1, $2, $3, $4, $5, $6, $7, 1, $8, $8)`, id, n.id, n.kind, i, n.title, n.body, n.notes, start)
	}
	s.exec(`UPDATE play.scenario_version SET status = 'published', published_at = $2 WHERE scenario_id = $1`, id, start)
}

// assign makes the n-th assignment of the scenario of that number, with a scene
// named harbor, and changes columns of it.
func (s *stage) assign(n int, published []string, set string, args ...any) uuid.UUID {
	s.t.Helper()
	id := identifier(3, n)
	s.exec(`INSERT INTO play.assignment (id, gm_id, player_id, scenario_id, source_version, mode, language, "character", brief,
			instructions, boundaries, return_condition, gm_notes, published_node_ids, auto_approve, request, attempt_id, status, version,
			pending, memory, current_scene, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 1, 'solo', 'en', 'Arin', 'Find Mira', 'Be brief', 'No gore', 'Dawn', '', $5, '{}', sha256(''), $1,
			'active', 1, 0, '', 'harbor', $6, $6)`,
		id, identifier(1, 0), identifier(1, 1), identifier(2, n), published, start)
	if set != "" {
		s.exec("UPDATE play.assignment SET "+set+" WHERE id = $1", append([]any{id}, args...)...)
	}
	return id
}

// harbor makes the n-th scenario and assignment, with one scene.
func (s *stage) harbor(n int) uuid.UUID {
	s.t.Helper()
	s.scenario(n, "The harbour", node{"harbor", "scene", "Harbour", "Boats.", ""})
	return s.assign(n, []string{"harbor"}, "")
}

// event is one of an assignment; at its version stands how many came before.
type event struct{ kind, action, narration, summary string }

// happen adds events to an assignment, the first of which makes it version 2.
func (s *stage) happen(id uuid.UUID, events ...event) {
	s.t.Helper()
	var version, number int64
	err := s.pool.QueryRow(s.t.Context(), `SELECT version, (SELECT count(*) FROM play.event_text WHERE assignment_id = $1)
		FROM play.assignment WHERE id = $1`, id).Scan(&version, &number)
	if err != nil {
		s.t.Fatal(err)
	}
	var rows, texts [][]any
	for _, e := range events {
		version++
		scene := "harbor"
		if e.kind == "review" {
			scene = ""
		}
		rows = append(rows, []any{id, version, e.kind, e.action, e.narration, e.summary, scene, at(int(version))})
		if e.kind == "review" {
			continue
		}
		number++
		folded := fold.Text(fold.Join(e.action, e.narration, e.summary))
		texts = append(texts, []any{id, version, number, folded, fold.Grams(id, folded)})
	}
	for chunk := range slices.Chunk(rows, 500) { // a statement has its time
		s.copy("event", []string{"assignment_id", "version", "kind", "action", "narration", "summary", "scene", "created_at"}, chunk)
	}
	for chunk := range slices.Chunk(texts, 100) { // and an index
		s.copy("event_text", []string{"assignment_id", "version", "number", "folded", "grams"}, chunk)
	}
	s.exec("UPDATE play.assignment SET version = $2 WHERE id = $1", id, version)
}

func (s *stage) copy(table string, columns []string, rows [][]any) {
	s.t.Helper()
	if _, err := s.pool.CopyFrom(s.t.Context(), pgx.Identifier{"play", table}, columns, pgx.CopyFromRows(rows)); err != nil {
		s.t.Fatal(err)
	}
}

// words are what made-up texts are of, the more common the earlier.
var words = func() []string {
	syllables := strings.Fields("ka mi ra zło po stra szę ny wie lo to mar in ter on ąć ło dź san dor fen el pi gra dom kot las ny rze ka")
	random := rand.New(rand.NewPCG(1, 2))
	var out []string
	for range 4000 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(syllables[random.IntN(len(syllables))])
		}
		out = append(out, b.String())
	}
	return out
}()

// prose makes up a text of so many characters or a few more.
func prose(random *rand.Rand, size int) string {
	zipf := rand.NewZipf(random, 1.1, 4, uint64(len(words)-1))
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(words[zipf.Uint64()])
		b.WriteByte(" .,"[min(random.IntN(16), 2)])
		b.WriteByte(' ')
	}
	return b.String()
}

// turns makes up so many turns of the usual size.
func turns(seed uint64, n int) []event {
	random := rand.New(rand.NewPCG(seed, 7))
	out := make([]event, n)
	for i := range out {
		out[i] = event{kind: "turn", action: prose(random, 200), narration: prose(random, 1600)}
	}
	return out
}

// effect is a consequence of the turn at a version.
type effect struct {
	version, position int
	status, note      string
	decided           int // the version of the review; 0 for none
	description       string
}

// propose adds consequences to an assignment.
func (s *stage) propose(id uuid.UUID, effects ...effect) {
	s.t.Helper()
	for _, e := range effects {
		var decided *int
		var when *time.Time
		if e.decided > 0 {
			decided, when = &e.decided, new(at(e.decided))
		}
		s.exec(`INSERT INTO play.consequence
			(id, assignment_id, version, position, category, description, status, note, decided_version, decided_at, created_at)
			VALUES ($1, $2, $3, $4, 'discovery', $5, $6, $7, $8, $9, $10)`,
			effectID(e), id, e.version, e.position, e.description, e.status, e.note, decided, when, start)
	}
	s.exec(`UPDATE play.assignment SET pending = (SELECT count(*) FROM play.consequence WHERE assignment_id = $1 AND status = 'pending')
		WHERE id = $1`, id)
}

func effectID(e effect) uuid.UUID { return identifier(4, e.version*100+e.position) }

// turn is a turn with a narration.
func turn(narration string) event {
	return event{kind: "turn", action: "I do it.", narration: narration}
}

var review = event{kind: "review"}

func finish(summary string) event { return event{kind: "finish", summary: summary} }

// at is when an assignment of these tests came to a version.
func at(version int) time.Time { return start.Add(time.Duration(version) * time.Minute) }
