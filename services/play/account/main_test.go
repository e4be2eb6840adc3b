package account

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestMain reads along for secrets in what the tests print and log.
func TestMain(m *testing.M) { os.Exit(leak.Main(m)) }

// start is when tests begin.
var start = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// secretWord is everybody's password.
const secretWord = "correct horse battery"

// lab is a service over a database of its own, with a clock that a test moves.
type lab struct {
	*Service
	t   *testing.T
	log bytes.Buffer

	mu  sync.Mutex
	now time.Time
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{t: t, now: start}
	l.Service = New(Config{
		Pool: pgtest.Database(t, "play"), Now: l.clock, Log: slog.New(slog.NewTextHandler(leak.Watch("the log", &l.log), nil)),
	})
	return l
}

// again is another process that serves the same installation.
func (l *lab) again() *Service { return New(Config{Pool: l.pool, Now: l.clock, Log: l.Service.log}) }

func (l *lab) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *lab) advance(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

// person makes an account.
func (l *lab) person(username string) Account {
	l.t.Helper()
	a, err := l.Create(l.t.Context(), NewAccount{
		Username: username, DisplayName: strings.ToUpper(username), Language: "en", Password: secretWord,
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return a
}

// login logs somebody in, from an address that nobody else has.
func (l *lab) login(username string, presented ...string) (cookie string) {
	l.t.Helper()
	cookie, _, err := l.Login(l.t.Context(), username, secretWord, uuid.NewString(), presented...)
	if err != nil {
		l.t.Fatal(err)
	}
	return cookie
}

// want holds an error to a code, "" for none.
func want(t *testing.T, what string, err error, code fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != code {
		t.Errorf("%s: %q (%v), want %q", what, got, err, code)
	}
}

// count asks the database for a number.
func (l *lab) count(sql string, args ...any) (n int) {
	l.t.Helper()
	if err := l.pool.QueryRow(l.t.Context(), sql, args...).Scan(&n); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// untilWaiting returns when a statement waits for another transaction.
func (l *lab) untilWaiting() {
	l.t.Helper()
	for l.count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 0 {
		if l.t.Context().Err() != nil {
			l.t.Fatal("nothing waits")
		}
	}
}
