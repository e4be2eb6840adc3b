package party_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// clause: E-28
func TestResolve(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	reason := func(i party.Identity) access.Standing {
		t.Helper()
		_, err := d.parties.Resolve(t.Context(), i)
		unready, ok := errors.AsType[*party.Unready](err)
		if !ok {
			t.Fatalf("%v: %v, want a reason", i, err)
		}
		if unready.Standing != access.Deactivated && fault.CodeOf(err) != fault.SetupRequired {
			t.Errorf("%s: code %s, want setup_required", unready.Standing, fault.CodeOf(err))
		}
		return unready.Standing
	}
	const given = "a sentence of somebody else"
	steps := []access.Standing{reason(foreign)}
	if _, err := d.parties.AddUser(t.Context(), party.NewUser{
		Username: "ada", Password: given, Temporary: true, Profile: &ada,
	}); err != nil {
		t.Fatal(err)
	}
	steps = append(steps, reason(foreign))
	if err := d.parties.Bind(t.Context(), "ada", foreign); err != nil {
		t.Fatal(err)
	}
	steps = append(steps, reason(foreign))
	change := `{"current":"` + given + `","replacement":"` + password + `"}`
	d.login(t, "ada", given).want(t, "POST", "/auth/password", change, 200, "")
	d.publish(t, 0)
	steps = append(steps, reason(foreign))
	d.acceptCurrent(t, "ada")
	r, err := d.parties.Resolve(t.Context(), foreign)
	if err != nil || r.AuthVersion != 3 || r.Operator {
		t.Errorf("resolved %+v, %v", r, err)
	}
	for _, other := range []party.Identity{
		{Issuer: foreign.Issuer + "/", Subject: foreign.Subject, VopersonID: foreign.VopersonID},
		{Issuer: foreign.Issuer, Subject: "04711", VopersonID: foreign.VopersonID},
		{Issuer: foreign.Issuer, Subject: foreign.Subject, VopersonID: strings.ToUpper(foreign.VopersonID)},
		{Issuer: foreign.Issuer, Subject: foreign.Subject, VopersonID: "eve@example.org"},
	} {
		if got := reason(other); got != access.Unregistered {
			t.Errorf("%v is %s, want unregistered", other, got)
		}
	}
	if _, err := d.parties.Enrol(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	if r, err = d.parties.Resolve(t.Context(), foreign); err != nil || r.AuthVersion != 4 || !r.Operator {
		t.Errorf("resolved %+v, %v", r, err)
	}
	if _, err := d.parties.Deactivate(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	steps = append(steps, reason(foreign))
	want := []access.Standing{
		access.Unregistered, access.Unregistered, access.SetupPending, access.AUPRequired, access.Deactivated,
	}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []party.Identity{
		{}, {Issuer: "a", Subject: "b"}, {Issuer: " a", Subject: "b", VopersonID: "c"}, {Issuer: "a", Subject: "b\n", VopersonID: "c"},
		{Issuer: "a", Subject: "\xff", VopersonID: "c"}, {Issuer: "a", Subject: strings.Repeat("b", 513), VopersonID: "c"},
	} {
		if _, err := d.parties.Resolve(t.Context(), bad); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v, want invalid_request", bad, err)
		}
	}
	longest := strings.Repeat("b", 512)
	reason(party.Identity{Issuer: longest, Subject: longest, VopersonID: longest})
	if got := d.column(t, "SELECT subject FROM platform.identity ORDER BY subject"); !cmp.Equal(got, []string{"4711", "ada"}) {
		t.Errorf("identities %q: resolving has made some", got)
	}
}

// clause: E-28, E-40
func TestPolicies(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	me := d.login(t, "ada", password)
	me.want(t, "GET", "/parties/me/setup", "", 200,
		`{"aup":"accepted","aup_version":0,"ready":true,"registration":"complete","setup":"complete","todo":[]}`)
	me.want(t, "GET", "/aup/versions", "", 200, `{"items":[]}`)
	me.want(t, "GET", "/aup/versions/1", "", 404, "no such version")

	const year = 366 * 24 * time.Hour
	if _, err := d.parties.Publish(t.Context(), "t", "x", d.time().Add(year+time.Microsecond)); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a version that takes effect in more than a year: %v, want a refusal", err)
	}
	d.publish(t, time.Hour)
	me.want(t, "GET", "/parties/me", "", 200, "ada")
	me.want(t, "GET", "/aup/versions/1", "", 200, `"current":false`)
	me.want(t, "GET", "/parties/me/setup", "", 200, `"aup_version":0`)
	d.pass(time.Hour - time.Microsecond)
	me.want(t, "GET", "/parties/me", "", 200, "ada")
	d.pass(time.Microsecond)
	me.want(t, "GET", "/parties/me", "", 403, "newer acceptable use policy")
	me.want(t, "GET", "/aup/versions/1", "", 200, `"current":true`)
	d.acceptCurrent(t, "ada")
	me.want(t, "GET", "/parties/me", "", 200, "ada")

	if _, err := d.parties.Publish(t.Context(), "t", "x", d.time()); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a version that takes effect when the one before does: %v, want a conflict", err)
	}
	d.publish(t, time.Microsecond)
	me.want(t, "GET", "/parties/me", "", 200, "ada")
	d.pass(time.Minute)
	me.want(t, "GET", "/parties/me", "", 403, "newer acceptable use policy")
	d.acceptCurrent(t, "ada")
	cursor := field(t, me.want(t, "GET", "/aup/versions?limit=1", "", 200, `"version":2}],"next_cursor":"`), "next_cursor")
	me.want(t, "GET", "/aup/versions?limit=1&cursor="+cursor, "", 200, `"version":1}]}`)
	me.want(t, "GET", "/parties/me/aup-acceptances?cursor="+cursor, "", 400, "another list")
	cursor = field(t, me.want(t, "GET", "/parties/me/aup-acceptances?limit=1", "", 200, `"version":2}],"next_cursor":"`), "next_cursor")
	me.want(t, "GET", "/parties/me/aup-acceptances?cursor="+cursor, "", 200, `"version":1}]}`)

	for name, c := range map[string]struct{ title, text string }{
		"no title": {"", "x"}, "a long title": {strings.Repeat("é", 201), "x"}, "no text": {"t", ""},
		"a long text": {"t", strings.Repeat("é", 100_001)}, "control characters": {"t", "a\x00b"}, "not UTF-8": {"t", "\xff"},
	} {
		if _, err := d.parties.Publish(t.Context(), c.title, c.text, d.time().Add(time.Hour)); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v, want invalid_request", name, err)
		}
	}
	if _, err := d.parties.Publish(
		t.Context(), strings.Repeat("é", 200), strings.Repeat("é\n", 50_000), d.time().Add(time.Hour),
	); err != nil {
		t.Error(err)
	}
	d.publish(t, year)
}

// An acceptance binds through an identity that is still the Party's, and not
// after it was withdrawn.
//
// clause: E-28
func TestBinding(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	me := d.user(t, "ada")
	d.publish(t, 0)
	d.acceptCurrent(t, "ada")
	if _, err := d.pool.Exec(t.Context(), "UPDATE platform.identity SET party_id = NULL WHERE subject = 'ada'"); err != nil {
		t.Fatal(err)
	}
	token := d.token(t, me, "parties:read")
	token.want(t, "GET", "/parties/me", "", 403, "newer acceptable use policy")
	if _, err := d.pool.Exec(t.Context(), "UPDATE platform.identity SET party_id = $1 WHERE subject = 'ada'", me.Party); err != nil {
		t.Fatal(err)
	}
	token.want(t, "GET", "/parties/me", "", 200, "ada")
	if err := did(d.parties.Withdraw(t.Context(), "ada")); err != nil {
		t.Fatal(err)
	}
	if changed, err := d.parties.Withdraw(t.Context(), "ada"); changed || err != nil {
		t.Errorf("a second withdrawal: %v, %v", changed, err)
	}
	d.pass(time.Minute)
	session := d.login(t, "ada", password)
	session.want(t, "GET", "/parties/me", "", 403, "newer acceptable use policy")
	d.acceptCurrent(t, "ada")
	session.want(t, "GET", "/parties/me/aup-acceptances", "", 200, `"accepted_at":"2026-11-30T12:01:00Z"`)
}

// acceptCurrent accepts the newest policy with a session of its own.
func (d *door) acceptCurrent(t *testing.T, username string) {
	t.Helper()
	b := d.login(t, username, password)
	text := b.want(t, "GET", "/aup/versions?limit=1", "", 200, `"current":true`)
	_, version, _ := strings.Cut(text, `"version":`)
	version, _, _ = strings.Cut(version, "}")
	b.want(t, "POST", "/auth/aup", `{"version":`+version+`,"digest":"`+field(t, text, "digest")+`"}`, 200, `"ready":true`)
}
