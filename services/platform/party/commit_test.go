package party_test

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// forgetful is a connection that breaks when the server has committed, each time
// that it is armed.
type forgetful struct {
	net.Conn
	armed    *atomic.Bool
	replying bool
}

func (c *forgetful) Write(b []byte) (int, error) {
	if bytes.Equal(b, []byte("Q\x00\x00\x00\x0bcommit\x00")) && c.armed.CompareAndSwap(true, false) {
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

// Nothing is done twice, and nothing is said to have failed, where the answer to
// a commit is lost.
func TestLostCommits(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	d := newDoor(t, func(c *access.Config) {
		config := c.Pool.Config()
		dial := config.ConnConfig.DialFunc
		config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			return &forgetful{Conn: conn, armed: &armed}, err
		}
		pool, err := pgxpool.NewWithConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		c.Pool = pool
	})
	ctx := t.Context()
	lost := func(name string, do func() error) {
		t.Helper()
		d.pass(time.Minute)
		armed.Store(true)
		if err := do(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if armed.Load() {
			t.Errorf("%s: no commit was lost", name)
		}
	}
	for _, u := range []party.NewUser{
		{Username: "ada", Password: password, Temporary: true},
		{Username: "eve", Password: password, Profile: &ada, Operator: true, AcceptPolicy: true},
	} {
		lost("add "+u.Username, func() error { _, err := d.parties.AddUser(ctx, u); return err })
	}
	var policy party.Policy
	lost("publish", func() (err error) {
		policy, err = d.parties.Publish(ctx, "Acceptable use", "Research only.", d.time())
		return err
	})
	if policy.Version != 1 {
		t.Errorf("version %d is published, want 1", policy.Version)
	}
	var b *browser
	lost("login", func() error { b = d.login(t, "ada", password); return nil })
	post := func(path, body, says string) {
		t.Helper()
		lost(path, func() error { b.want(t, "POST", path, body, 200, says); return nil })
	}
	post("/auth/registration", `{"display_name":"Ada","email":"ada@example.org"}`, `"todo":["choose_password","accept_aup"]`)
	post("/auth/password", `{"current":"`+password+`","replacement":"another long sentence"}`, `"todo":["accept_aup"]`)
	post("/auth/aup", `{"version":1,"digest":"`+field(t, b.want(t, "GET", "/aup/versions", "", 200, ""), "digest")+`"}`, `"ready":true`)
	lost("token", func() error {
		b.want(t, "POST", "/auth/tokens", `{"name":"a","scopes":["runs:read"],"expires_at":"2026-12-30T12:00:00Z"}`, 201, "pharos_pat_")
		return nil
	})
	b.want(t, "GET", "/auth/tokens", "", 200, `"name":"a","scopes":["runs:read"]}]}`)
	lost("enrol", func() error { return did(d.parties.Enrol(ctx, "ada")) })
	lost("dismiss", func() error { return did(d.parties.Dismiss(ctx, "ada")) })
	lost("bind", func() error { return d.parties.Bind(ctx, "ada", foreign) })
	lost("unbind", func() error { return d.parties.Unbind(ctx, foreign) })
	lost("withdraw", func() error { return did(d.parties.Withdraw(ctx, "ada")) })
	lost("accept", func() error { return did(d.parties.AcceptFor(ctx, "ada")) })
	lost("deactivate", func() error { return did(d.parties.Deactivate(ctx, "ada")) })
	lost("activate", func() error { return did(d.parties.Activate(ctx, "ada")) })
	lost("password", func() error { return d.parties.SetPassword(ctx, "ada", password) })
	want := []string{"ada setup_pending", "eve active"}
	if diff := cmp.Diff(want, d.column(t, "SELECT username || ' ' || state FROM platform.party ORDER BY username")); diff != "" {
		t.Error(diff)
	}
}
