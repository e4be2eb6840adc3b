package playtest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// seat is a session of a stage, and its token.
type seat struct {
	session uuid.UUID
	scene   string
	token   string
}

// seats are sessions, each with a token: that of the demonstration, and others
// like it.
func (s stage) seats(t *testing.T, n int) []seat {
	t.Helper()
	pool := pgtest.Pool(t, s.database)
	service := assignment.New(assignment.Config{Pool: pool, Now: time.Now})
	var id, gm uuid.UUID
	err := pool.QueryRow(t.Context(), "SELECT id, gm_id FROM play.assignment ORDER BY created_at LIMIT 1").Scan(&id, &gm)
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := service.Get(t.Context(), gm, id)
	if err != nil {
		t.Fatal(err)
	}
	seats := []seat{{a.ID, a.CurrentScene, s.token}}
	for len(seats) < n {
		other, _, err := service.Create(t.Context(), gm, assignment.NewAssignment{
			ID: uuid.New(), ScenarioID: a.ScenarioID, SourceVersion: a.SourceVersion, PlayerUsername: a.Player.Username,
			Mode: a.Mode, Language: a.Language, Character: a.Character, Brief: a.Brief, Instructions: a.Instructions,
			Boundaries: a.Boundaries, ReturnCondition: a.ReturnCondition, PublishedNodeIDs: a.PublishedNodeIDs,
		})
		if err != nil {
			t.Fatal(err)
		}
		token, _, err := service.GenerateToken(t.Context(), gm, other.ID)
		if err != nil {
			t.Fatal(err)
		}
		seats = append(seats, seat{other.ID, other.CurrentScene, token})
	}
	return seats
}

// turn is a turn at a version, under an identifier of its own.
func (s seat) turn(version int64) map[string]any {
	return map[string]any{
		"operation_id": uuid.NewString(), "expected_version": version, "player_action": "I trim the lamp.",
		"narration": "The lamp burns.", "memory_markdown": "# Current state\nLight.\n", "current_scene": s.scene,
		"consequences": []map[string]any{{"category": "discovery", "description": "The keeper is grateful."}},
	}
}

// rpc is a request of the earlier era of the protocol.
func rpc(method string, params any) string {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// calling is a message that calls a tool.
func calling(tool string, arguments any) string {
	return rpc("tools/call", map[string]any{"name": tool, "arguments": arguments})
}

// dispatch sends a message, by hand. Status 0 is that there is no reply, and the
// body why.
func dispatch(ctx context.Context, url, token string, body io.Reader) reply {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return reply{Body: err.Error()}
	}
	r.Header = http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"},
		"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return reply{Body: err.Error()}
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return reply{Body: err.Error()}
	}
	return reply{got.StatusCode, got.Header["Www-Authenticate"], string(text), got.Header}
}

// ask sends a message and waits for its reply.
func ask(t *testing.T, url, token, body string) reply {
	t.Helper()
	return dispatch(t.Context(), url, token, strings.NewReader(body))
}

// begin sends a message and does not wait for its reply.
func begin(t *testing.T, url, token, body string) <-chan reply {
	replies := make(chan reply, 1)
	go func() { replies <- dispatch(t.Context(), url, token, strings.NewReader(body)) }()
	return replies
}

// done reports whether a reply is that of a tool that did what it was told.
func (r reply) done() bool {
	return r.Status == http.StatusOK && strings.Contains(r.Body, `"structuredContent"`) &&
		!strings.Contains(r.Body, `"isError":true`)
}

// locked is what a test has locked in a database: who needs it waits.
type locked struct {
	pool *pgxpool.Pool
	tx   pgx.Tx
}

// sessionsLocked is what keeps turns from being written.
const sessionsLocked = "SELECT FROM play.assignment FOR NO KEY UPDATE"

// lock locks until release, or until the test ends.
func lock(t *testing.T, database string, statements ...string) *locked {
	t.Helper()
	l := &locked{pool: pgtest.Pool(t, database)}
	var err error
	if l.tx, err = l.pool.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.tx.Rollback(context.Background()) })
	for _, sql := range append([]string{"SET LOCAL idle_in_transaction_session_timeout = 0"}, statements...) {
		if _, err := l.tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// waiting returns when so many wait for locks in the database.
func (l *locked) waiting(t *testing.T, n int) {
	t.Helper()
	for deadline, got := time.Now().Add(time.Minute), -1; got != n; {
		err := l.pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&got)
		if err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d wait, want %d", got, n)
		}
	}
}

func (l *locked) release(t *testing.T) {
	t.Helper()
	if err := l.tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
}
