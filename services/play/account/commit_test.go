package account

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// forgetful is a connection that breaks when the server has committed, at the
// commit that left counts down to.
type forgetful struct {
	net.Conn
	left     *atomic.Int64
	replying bool
}

func (c *forgetful) Write(b []byte) (int, error) {
	if bytes.Equal(b, []byte("Q\x00\x00\x00\x0bcommit\x00")) && c.left.Add(-1) == 0 {
		c.replying = true
	}
	return c.Conn.Write(b)
}

func (c *forgetful) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.replying {
		_ = c.Close()
		return 0, net.ErrClosed
	}
	return n, err
}

// Nothing is done twice, and nothing is refused, where the answer to a commit is
// lost.
func TestLostCommits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var left atomic.Int64
	config := l.pool.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &forgetful{Conn: conn, left: &left}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	l.pool, l.Service.pool = pool, pool

	lost := func(name string, after int64, do func() error) {
		t.Helper()
		left.Store(after)
		want(t, name, do(), "")
		if n := left.Load(); n > 0 {
			t.Errorf("%s: no commit was lost, %d more are needed", name, n)
		}
	}
	var mira Account
	lost("an account", 1, func() error { mira = l.person("mira"); return nil })
	for name, after := range map[string]int64{"the attempt": 1, "the session": 2} {
		var cookie string
		lost(name, after, func() error { cookie = l.login("mira"); return nil })
		got, err := l.Session(t.Context(), cookie)
		want(t, name, err, "")
		if got != mira {
			t.Errorf("%s: got %+v, want %+v", name, got, mira)
		}
	}
	if n := l.count("SELECT count(*) FROM play.login_attempt"); n != 4 {
		t.Errorf("%d rows of attempts, want 4", n)
	}
	if n := l.count("SELECT count(*) FROM play.login"); n != 2 {
		t.Errorf("%d sessions, want 2", n)
	}
	for range LoginsOfUsername - 3 {
		want(t, "an attempt", l.attempt(t.Context(), "mira", "192.0.2.1"), "")
	}
	lost("the last attempt of the bound", 1, func() error { l.login("mira"); return nil })
	var text string
	lost("a token", 1, func() error { text = l.issue(mira); return nil })
	_, err = l.Author(t.Context(), text)
	want(t, "the token", err, "")
	lost("a password", 1, func() error { return l.SetPassword(t.Context(), "mira", "another password") })
	lost("a standing", 1, func() error { return l.SetActive(t.Context(), "mira", false) })
}

// While the database is out nobody is told that they are nobody.
//
// clause: P-35
func TestDatabaseOut(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	if err := pg.Migrate(t.Context(), server.URL, "play"); err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, now: start}
	l.Service = New(Config{Pool: pgtest.Pool(t, server.URL), Now: l.clock})
	mira := l.person("mira")
	cookie, text := l.login("mira"), l.issue(mira)
	server.Stop()
	for name, do := range map[string]func() error{
		"a session":     func() error { _, err := l.Session(t.Context(), cookie); return err },
		"a token":       func() error { _, err := l.Author(t.Context(), text); return err },
		"a login":       func() error { _, _, err := l.Login(t.Context(), "mira", secretWord, "192.0.2.1"); return err },
		"a logout":      func() error { return l.Logout(t.Context(), cookie) },
		"a new token":   func() error { _, _, err := l.IssueToken(t.Context(), mira.ID, uuid.New(), "x"); return err },
		"a revocation":  func() error { return l.RevokeToken(t.Context(), mira.ID, uuid.New()) },
		"tokens":        func() error { _, err := l.Tokens(t.Context(), mira.ID); return err },
		"a username":    func() error { _, err := l.ByUsername(t.Context(), "mira"); return err },
		"everybody":     func() error { _, err := l.List(t.Context()); return err },
		"a language":    func() error { return l.SetLanguage(t.Context(), mira.ID, "pl") },
		"a deactivated": func() error { return l.SetActive(t.Context(), "mira", false) },
	} {
		want(t, name, do(), fault.Unavailable)
	}
	server.Start(t)
	got, err := l.Session(t.Context(), cookie)
	want(t, "the session afterwards", err, "")
	if got != mira {
		t.Errorf("got %+v, want %+v", got, mira)
	}
}
