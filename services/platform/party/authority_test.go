package party_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

var foreign = party.Identity{Issuer: "https://login.example", Subject: "4711", VopersonID: "ada@example.org"}

// authority is a change, made by the session of its user or by an administrator.
type authority struct {
	name   string
	change func(ctx context.Context, d *door, b *browser) error
	raises bool
}

// did turns "nothing was changed" into an error.
func did(changed bool, err error) error {
	if err == nil && !changed {
		err = errors.New("nothing was changed")
	}
	return err
}

// replied turns another status than 200 into an error.
func replied(t *testing.T, b *browser, method, path, body string) error {
	t.Helper()
	kept := *b // what it was before
	if status, text, _ := kept.send(t, method, path, body); status != 200 {
		return fmt.Errorf("%d %s", status, text)
	}
	return nil
}

// Every change of authority raises auth_version and voids what was granted.
//
// clause: E-23, E-40
func TestAuthority(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "eve") // whom nothing of this concerns
	eve := d.login(t, "eve", password)
	me := d.user(t, "ada")
	var policy party.Policy
	current := password
	accept := func(_ context.Context, _ *door, b *browser) error {
		return replied(t, b, "POST", "/auth/aup", fmt.Sprintf(`{"version":1,"digest":"%x"}`, policy.Digest))
	}
	for _, c := range []authority{
		{"enrolment", func(ctx context.Context, d *door, _ *browser) error { return did(d.parties.Enrol(ctx, "ada")) }, true},
		{"dismissal", func(ctx context.Context, d *door, _ *browser) error { return did(d.parties.Dismiss(ctx, "ada")) }, true},
		{"an identity", func(ctx context.Context, d *door, _ *browser) error { return d.parties.Bind(ctx, "ada", foreign) }, true},
		{"the same one", func(ctx context.Context, d *door, _ *browser) error { return d.parties.Bind(ctx, "ada", foreign) }, false},
		{"one less", func(ctx context.Context, d *door, _ *browser) error { return d.parties.Unbind(ctx, foreign) }, true},
		{"none less", func(ctx context.Context, d *door, _ *browser) error { return d.parties.Unbind(ctx, foreign) }, false},
		{"a profile", func(_ context.Context, _ *door, b *browser) error {
			b.header = keyed("22222222-2222-4222-8222-222222222222", "1")
			defer func() { b.header = nil }()
			return replied(t, b, "PATCH", "/parties/me", `{"display_name":"Ada Lovelace"}`)
		}, false},
		{"publication", func(ctx context.Context, d *door, _ *browser) error { policy = d.publish(t, 0); return nil }, false},
		{"acceptance", accept, false},
		{"withdrawal", func(ctx context.Context, d *door, _ *browser) error { return did(d.parties.Withdraw(ctx, "ada")) }, true},
		{"acceptance again", accept, false},
		{"a password", func(_ context.Context, _ *door, b *browser) error {
			current = "another long sentence"
			return replied(t, b, "POST", "/auth/password", `{"current":"`+password+`","replacement":"`+current+`"}`)
		}, true},
		{"another's password", func(ctx context.Context, d *door, _ *browser) error {
			current = password
			return d.parties.SetPassword(ctx, "ada", current)
		}, true},
		{"deactivation", func(ctx context.Context, d *door, _ *browser) error { return did(d.parties.Deactivate(ctx, "ada")) }, true},
	} {
		d.pass(time.Minute) // so that all these logins are within their bound
		session, token := d.login(t, "ada", current), d.token(t, me, "parties:read")
		if err := c.change(t.Context(), d, session); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		status := 200
		if c.raises {
			me.AuthVersion++
			status = 401
		}
		session.want(t, "GET", "/auth/session", "", status, "")
		token.want(t, "GET", "/aup/versions", "", status, "")
		var version int64
		err := d.pool.QueryRow(t.Context(), "SELECT auth_version FROM platform.party WHERE username = 'ada'").Scan(&version)
		if err != nil || version != me.AuthVersion {
			t.Errorf("after %s: auth_version %d (%v), want %d", c.name, version, err, me.AuthVersion)
		}
	}
	eve.want(t, "GET", "/auth/session", "", 200, "eve")
	(&browser{door: d}).want(t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, 403, "deactivated")
	if err := did(d.parties.Activate(t.Context(), "ada")); err != nil {
		t.Error(err)
	}
	// The password that an administrator has set is still to be replaced.
	d.login(t, "ada", password).want(t, "GET", "/parties/me", "", 403, "POST /auth/password")
}

// Who is an operator is looked up at each call.
//
// clause: E-23, E-40
func TestEnrolmentIsLookedUp(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	me, err := d.parties.AddUser(t.Context(), party.NewUser{Username: "ada", Password: password, Profile: &ada, Operator: true})
	if err != nil {
		t.Fatal(err)
	}
	d.login(t, "ada", password).want(t, "GET", "/auth/session", "", 200, `"operator":true`)
	admin := d.token(t, me, "parties:read", "support:admin")
	admin.want(t, "GET", "/parties/me", "", 200, `"operator":true`)
	// Even a row that goes without a new auth_version is missed at once.
	if _, err := d.pool.Exec(t.Context(), "DELETE FROM platform.operator"); err != nil {
		t.Fatal(err)
	}
	admin.want(t, "GET", "/parties/me", "", 200, `"operator":false`)
	admin.want(t, "GET", "/support/admin/tickets", "", 403, "for operators")
}

func TestAdministrationRefuses(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	ctx := t.Context()
	d.user(t, "ada")
	d.user(t, "eve")
	if err := d.parties.Bind(ctx, "eve", foreign); err != nil {
		t.Fatal(err)
	}
	nobody := func(_ bool, err error) error { return err }
	for name, c := range map[string]struct {
		err  error
		want fault.Code
	}{
		"enrol nobody":             {nobody(d.parties.Enrol(ctx, "zoe")), fault.NotFound},
		"a password for nobody":    {d.parties.SetPassword(ctx, "zoe", password), fault.NotFound},
		"a short password":         {d.parties.SetPassword(ctx, "ada", "elevenchars"), fault.Invalid},
		"bind another's identity":  {d.parties.Bind(ctx, "ada", foreign), fault.Conflict},
		"bind to nobody":           {d.parties.Bind(ctx, "zoe", party.Identity{Issuer: "a", Subject: "b", VopersonID: "c"}), fault.NotFound},
		"bind half an identity":    {d.parties.Bind(ctx, "ada", party.Identity{Issuer: "a", Subject: "b"}), fault.Invalid},
		"bind one of a password":   {d.parties.Bind(ctx, "ada", party.Identity{Issuer: party.PasswordIssuer, Subject: "b", VopersonID: "c"}), fault.Invalid},
		"unbind one of a password": {d.parties.Unbind(ctx, party.Identity{Issuer: party.PasswordIssuer, Subject: "ada", VopersonID: "ada"}), fault.Invalid},
		"unbind an unknown one":    {d.parties.Unbind(ctx, party.Identity{Issuer: "a", Subject: "b", VopersonID: "c"}), fault.NotFound},
	} {
		if got := fault.CodeOf(c.err); got != c.want {
			t.Errorf("%s: %v, want %s", name, c.err, c.want)
		}
	}
	for name, c := range map[string]struct {
		user party.NewUser
		want fault.Code
	}{
		"a taken username":         {party.NewUser{Username: "ada", Password: password, Profile: &ada}, fault.Exists},
		"a short username":         {party.NewUser{Username: "a", Password: password}, fault.Invalid},
		"capital letters":          {party.NewUser{Username: "Ada", Password: password}, fault.Invalid},
		"no address":               {party.NewUser{Username: "zoe", Password: password, Profile: &party.Profile{DisplayName: "Zoe"}}, fault.Invalid},
		"an unregistered operator": {party.NewUser{Username: "zoe", Password: password, Operator: true}, fault.Invalid},
		"an unregistered consent":  {party.NewUser{Username: "zoe", Password: password, AcceptPolicy: true}, fault.Invalid},
	} {
		if _, err := d.parties.AddUser(ctx, c.user); fault.CodeOf(err) != c.want {
			t.Errorf("add %s: %v, want %s", name, err, c.want)
		}
	}
	if diff := cmp.Diff([]string{"ada", "eve"}, d.column(t, "SELECT username FROM platform.credential ORDER BY username")); diff != "" {
		t.Error(diff)
	}
}

// Of many registrations of one person at the same time, one makes a party.
func TestRegistrationsAtTheSameTime(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	if _, err := d.parties.AddUser(t.Context(), party.NewUser{Username: "ada", Password: password}); err != nil {
		t.Fatal(err)
	}
	const n = 8
	sessions := make([]*browser, n)
	for i := range sessions {
		sessions[i] = d.login(t, "ada", password)
	}
	statuses := make([]int, n)
	var wg sync.WaitGroup
	for i, b := range sessions {
		wg.Go(func() {
			statuses[i], _, _ = b.send(t, "POST", "/auth/registration", `{"display_name":"Ada","email":"ada@example.org"}`)
		})
	}
	wg.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	if count[200] != 1 || count[409]+count[401] != n-1 {
		t.Errorf("statuses %v, want one 200 and else 401 or 409", count)
	}
	if got := d.column(t, "SELECT username FROM platform.party"); len(got) != 1 {
		t.Errorf("parties: %q, want one", got)
	}
}
