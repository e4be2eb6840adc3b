package party_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/services/platform/party"
)

// meanwhile makes a change in a transaction that another request waits for, and
// gives the request's status. The request has read what was before.
func (d *door) meanwhile(t *testing.T, change string, request func() int) int {
	t.Helper()
	tx, err := d.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tx.Rollback(t.Context()); err != nil && err != pgx.ErrTxClosed {
			t.Error(err)
		}
	}()
	if _, err := tx.Exec(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	status := make(chan int, 1)
	go func() { status <- request() }()
	for waits := false; !waits; {
		err := d.pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return <-status
}

// A login with a password that is replaced while it goes on begins nothing,
// even where there is no Party whose auth_version would tell.
func TestPasswordIsReplacedDuringALogin(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b := &browser{door: d}
	status := d.meanwhile(t, "UPDATE platform.credential SET password = password || ' '", func() int {
		status, _, _ := b.send(t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`)
		return status
	})
	if status != 401 || len(d.column(t, "SELECT created_at::text FROM platform.session")) > 0 {
		t.Errorf("the login: %d, want 401 and no session", status)
	}
}

// What a caller may do is read again under the lock of what they change.
func TestAuthorityChangesDuringAnAcceptance(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b := d.login(t, "ada", password)
	policy := d.publish(t, 0)
	status := d.meanwhile(t, "UPDATE platform.party SET auth_version = auth_version + 1", func() int {
		status, _, _ := b.send(t, "POST", "/auth/aup", fmt.Sprintf(`{"version":1,"digest":"%x"}`, policy.Digest))
		return status
	})
	if status != 401 || len(d.column(t, "SELECT accepted_at::text FROM platform.aup_acceptance")) > 0 {
		t.Errorf("the acceptance: %d, want 401 and none", status)
	}
}

// An identity that gets a Party while its person registers keeps that one.
func TestIdentityIsBoundDuringARegistration(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "eve")
	if _, err := d.parties.AddUser(t.Context(), party.NewUser{Username: "ada", Password: password}); err != nil {
		t.Fatal(err)
	}
	b := d.login(t, "ada", password)
	status := d.meanwhile(t, `UPDATE platform.identity SET party_id = (SELECT id FROM platform.party) WHERE subject = 'ada'`, func() int {
		status, _, _ := b.send(t, "POST", "/auth/registration", `{"display_name":"Ada","email":"ada@example.org"}`)
		return status
	})
	if status != 409 || len(d.column(t, "SELECT username FROM platform.party")) != 1 {
		t.Errorf("the registration: %d, want 409 and no other party", status)
	}
}
