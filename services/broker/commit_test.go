package broker_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

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

// forgetfulPool gives a pool that does not hear of the commit that left counts
// down to.
func forgetfulPool(t *testing.T, left *atomic.Int64) *pgxpool.Pool {
	t.Helper()
	config := pgtest.Database(t, "broker").Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &forgetful{Conn: conn, left: left}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// Nothing is done twice, used up or revoked where the answer to a commit is
// lost.
//
// clause: E-30, E-33
func TestLostCommits(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	l := newLabOn(t, forgetfulPool(t, &left), nil, nil)
	b := l.browser()
	// Reading commits too: what writes is the commit after so many before it.
	lost := func(name string, status int, before int64, do func() reply) reply {
		t.Helper()
		left.Store(before + 1)
		r := do()
		if r.StatusCode != status {
			t.Fatalf("%s: status %d, want %d\n%s", name, r.StatusCode, status, r.body)
		}
		if n := left.Load(); n > 0 {
			t.Errorf("%s: no commit was lost, %d more are needed", name, n)
		}
		return r
	}
	page := lost("authorize", 200, 0, func() reply { return b.get(l.url + "/authorize?" + l.request().Encode()) })
	f := url.Values{"handle": {handleOf(t, page.body)}, "answer": {"allow"}}
	allowed := lost("consent", 303, 1, func() reply { return b.post(l.url+"/consent", f) })
	back := b.chosen(allowed, "member")
	answer := answerOf(t, lost("callback", 303, 0, func() reply { return b.get(back) }))
	back = b.chosen(b.consent(l.request()), "member")
	answerOf(t, lost("grant", 303, 1, func() reply { return b.get(back) }))
	page = b.get(l.url + "/authorize?" + l.request().Encode())
	answerOf(t, lost("deny", 303, 1, func() reply {
		return b.post(l.url+"/consent", url.Values{"handle": {handleOf(t, page.body)}, "answer": {"deny"}})
	}))
	first := read(t, lost("code", 200, 0, func() reply { return b.post(l.url+"/token", l.redemption(answer.Get("code"))) }))
	next := read(t, lost("refresh", 200, 2, func() reply { return b.post(l.url+"/token", l.refreshing(first.RefreshToken)) }))
	for table, want := range map[string]int{"authorization_grant": 2, "code": 2, "refresh_token": 2, "request": 0} {
		if n := l.count(table); n != want {
			t.Errorf("%d rows in %s, want %d", n, table, want)
		}
	}
	if again := l.token(l.refreshing(first.RefreshToken)); again.RefreshToken != next.RefreshToken {
		t.Error("the window gives another successor than the answer did")
	}
	l.later(time.Minute)
	third := l.token(l.refreshing(next.RefreshToken))
	wantTokens(t, "the family lives", third)
	lost("revoke", 200, 1, func() reply {
		return b.post(l.url+"/revoke", url.Values{"token": {third.RefreshToken}, "client_id": {"lab"}})
	})
	wantRefusal(t, "revoked", l.token(l.refreshing(third.RefreshToken)), http.StatusBadRequest, "invalid_grant")
	lost("register", 201, 0, func() reply { return b.tryRegister(minimal) })
	if c, n := l.count("client"), l.count("registration"); c != 1 || n != 1 {
		t.Errorf("%d clients and %d registrations, want one of each", c, n)
	}
	// A wrong verifier uses the code up once, and says so.
	code := l.code("member", l.request())
	r := lost("wrong verifier", 400, 0, func() reply {
		return b.post(l.url+"/token", altered(l.redemption(code), "code_verifier", "another-verifier-that-is-long-enough-to-be-one"))
	})
	wantRefusal(t, "wrong verifier", read(t, r), 400, "invalid_grant")
}
