package party_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/admission"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// clause: E-40
func TestLoginCompletesSetup(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	if _, err := d.parties.AddUser(t.Context(), party.NewUser{Username: "ada", Password: password, Temporary: true}); err != nil {
		t.Fatal(err)
	}
	policy := d.publish(t, 0)
	b := d.login(t, "ada", password)
	left := func(steps, reason string) {
		t.Helper()
		b.want(t, "GET", "/auth/session", "", 200, `"todo":[`+steps+`]`)
		b.want(t, "GET", "/parties/me/setup", "", 200, `"todo":[`+steps+`]`)
		b.want(t, "GET", "/aup/versions/1", "", 200, `"current":true`)
		b.want(t, "GET", "/aup/versions", "", 200, `"version":1`)
		b.want(t, "GET", "/parties/me", "", 403, reason)
		b.want(t, "GET", "/parties", "", 403, `"setup_required"`)
		b.want(t, "POST", "/auth/tokens", `{"name":"a","scopes":["runs:read"],"expires_at":"2026-12-30T12:00:00Z"}`, 403, `"setup_required"`)
	}
	consent := fmt.Sprintf(`{"version":%d,"digest":"%x"}`, policy.Version, policy.Digest)
	left(`"register","choose_password","accept_aup"`, "POST /auth/registration")
	b.want(t, "POST", "/auth/aup", consent, 403, "POST /auth/registration")

	const me = `{"display_name":"Ada Byron","email":"ada@example.org"}`
	for _, bad := range []string{
		`{"display_name":"","email":"ada@example.org"}`, `{"display_name":"A\nB","email":"ada@example.org"}`,
		`{"display_name":"A","email":"adä@example.org"}`, `{"display_name":"A","email":"ada@exämple.org"}`,
		`{"display_name":"A","email":"ada"}`, `{"display_name":"A","email":"Ada <ada@example.org>"}`,
		`{"display_name":"` + strings.Repeat("é", 121) + `","email":"ada@example.org"}`,
	} {
		b.want(t, "POST", "/auth/registration", bad, 400, `"invalid_request"`)
	}
	before := *b
	b.want(t, "POST", "/auth/registration", me, 200, `"party_id"`)
	before.want(t, "GET", "/auth/session", "", 401, "the session has ended")
	left(`"choose_password","accept_aup"`, "POST /auth/password")
	b.want(t, "POST", "/auth/registration", me, 409, "registered already")

	before = *b
	b.want(t, "POST", "/auth/password", `{"current":"not the current one","replacement":"another long sentence"}`, 403, "current password")
	b.want(t, "POST", "/auth/password", `{"current":"`+password+`","replacement":"too short x"}`, 400, "12 to 256")
	b.want(t, "POST", "/auth/password", `{"current":"`+password+`","replacement":"`+password+`"}`, 400, "another password")
	left(`"choose_password","accept_aup"`, "POST /auth/password")
	b.want(t, "POST", "/auth/password", `{"current":"`+password+`","replacement":"another long sentence"}`, 200, `"csrf_token"`)
	before.want(t, "GET", "/auth/session", "", 401, "the session has ended")
	left(`"accept_aup"`, "POST /auth/aup")

	b.want(t, "POST", "/auth/aup", fmt.Sprintf(`{"version":2,"digest":"%x"}`, policy.Digest), 409, "not the policy in effect")
	b.want(t, "POST", "/auth/aup", `{"version":1,"digest":"`+strings.Repeat("0", 64)+`"}`, 409, "not the policy in effect")
	b.want(t, "POST", "/auth/aup", `{"version":1,"digest":"zz"}`, 400, "hexadecimal")
	b.want(t, "POST", "/auth/aup", consent, 200, `"ready":true`)
	b.want(t, "POST", "/auth/aup", consent, 200, `"ready":true`)
	b.want(t, "GET", "/parties/me", "", 200, `"auth_version":2`) // 1 at registration, one more with the password
	b.want(t, "GET", "/parties/me/aup-acceptances", "", 200,
		`{"items":[{"accepted_at":"2026-11-30T12:00:00Z","digest":"`+hex.EncodeToString(policy.Digest)+
			`","identity":{"issuer":"urn:pharos:password","subject":"ada","voperson_id":"ada"},"version":1}]}`)
}

func TestPasswordBeforeRegistration(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	if _, err := d.parties.AddUser(t.Context(), party.NewUser{Username: "ada", Password: password, Temporary: true}); err != nil {
		t.Fatal(err)
	}
	other, b := d.login(t, "ada", password), d.login(t, "ada", password)
	b.want(t, "POST", "/auth/password", `{"current":"`+password+`","replacement":"another long sentence"}`, 200, `"todo":["register"]`)
	other.want(t, "GET", "/auth/session", "", 401, "the session has ended")
	b.want(t, "POST", "/auth/registration", `{"display_name":"A","email":"a@example.org","affiliation":"B"}`, 200, `"ready":true`)
	b.want(t, "GET", "/parties/me", "", 200, `"affiliation":"B"`)
}

func TestLoginRefuses(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b := &browser{door: d}
	const wrong = `{"code":"unauthenticated","title":"the username or the password is wrong"}`
	for _, body := range []string{
		`{"username":"ada","password":"wrong"}`, `{"username":"eve","password":"` + password + `"}`,
		`{"username":"Ada","password":"` + password + `"}`, `{"username":"","password":""}`, `{"username":"ada","password":""}`,
		`{"username":"ada","password":"` + strings.Repeat("x", 257) + `"}`,
		`{"username":"` + strings.Repeat("a", 100_000) + `","password":"` + password + `"}`,
	} {
		b.want(t, "POST", "/auth/login", body, 401, wrong)
	}
	if _, err := d.parties.Deactivate(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	b.want(t, "POST", "/auth/login", `{"username":"ada","password":"wrong"}`, 401, wrong)
	b.want(t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, 403, "deactivated")
}

func TestLoginsAreBounded(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	d.user(t, "eve")
	b := &browser{door: d}
	const wrong, right = `{"username":"ada","password":"x"}`, `{"username":"ada","password":"` + password + `"}`
	for range 9 {
		b.want(t, "POST", "/auth/login", wrong, 401, "wrong")
	}
	b.want(t, "POST", "/auth/login", right, 200, "ada")
	status, text, header := (&browser{door: d}).send(t, "POST", "/auth/login", right)
	if status != 429 || header.Get("Retry-After") != "60" {
		t.Errorf("the eleventh login in a minute: %d %s, Retry-After %q", status, text, header.Get("Retry-After"))
	}
	d.login(t, "eve", password)
	d.pass(time.Minute - time.Microsecond)
	(&browser{door: d}).want(t, "POST", "/auth/login", right, 429, "too_many_requests")
	d.pass(time.Microsecond)
	d.login(t, "ada", password)
}

func TestLoginsOfAnAddressAreBounded(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(c *access.Config) {
		c.Addresses = admission.NewMemory(admission.Limits{Rate: 3}, c.Now)
	})
	for n := range 3 {
		(&browser{door: d}).want(t, "POST", "/auth/login", fmt.Sprintf(`{"username":"u%d","password":"x"}`, n), 401, "wrong")
	}
	(&browser{door: d}).want(t, "POST", "/auth/login", `{"username":"u4","password":"x"}`, 429, "too_many_requests")
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pauses []time.Duration
		status int
	}{
		"before it is idle":     {[]time.Duration{access.IdleTime - time.Microsecond}, 200},
		"when it is idle":       {[]time.Duration{access.IdleTime}, 401},
		"in use":                {[]time.Duration{access.IdleTime / 2, access.IdleTime / 2, access.IdleTime / 2}, 200},
		"just before its end":   {append(hours(11), time.Hour-time.Microsecond), 200},
		"at its end, and inuse": {hours(12), 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(t)
			d.user(t, "ada")
			b := d.login(t, "ada", password)
			for n, pause := range c.pauses {
				d.pass(pause)
				want := 200
				if n == len(c.pauses)-1 {
					want = c.status
				}
				b.want(t, "GET", "/auth/session", "", want, "")
			}
		})
	}
}

func hours(n int) []time.Duration {
	h := make([]time.Duration, n)
	for i := range h {
		h[i] = time.Hour
	}
	return h
}

func TestLogout(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b, other := d.login(t, "ada", password), d.login(t, "ada", password)
	kept := *b
	_, _, header := b.send(t, "POST", "/auth/logout", "")
	want := "pharos_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:01 GMT; HttpOnly; SameSite=Lax"
	if diff := cmp.Diff(want, header.Get("Set-Cookie")); diff != "" {
		t.Error(diff)
	}
	kept.want(t, "GET", "/auth/session", "", 401, "the session has ended")
	other.want(t, "GET", "/auth/session", "", 200, "ada")
}

func TestLoginReplacesTheSession(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b := d.login(t, "ada", password)
	before := *b
	b.csrf = "" // a login has no page of the session yet
	b.want(t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, 200, "ada")
	if b.cookie == before.cookie {
		t.Error("the new session has the old secret")
	}
	before.want(t, "GET", "/auth/session", "", 401, "the session has ended")
	b.want(t, "GET", "/auth/session", "", 200, "ada")
	// An old cookie does not keep anybody from a login.
	before.want(t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, 200, "ada")
}

func TestSessionsOfOneIdentityAreBounded(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	var all []*browser
	for range 21 {
		d.pass(time.Minute)
		all = append(all, d.login(t, "ada", password))
	}
	all[0].want(t, "GET", "/auth/session", "", 401, "")
	all[1].want(t, "GET", "/auth/session", "", 200, "")
	all[20].want(t, "GET", "/auth/session", "", 200, "")
}

func TestExpiredSessionsAreClearedAway(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	d.user(t, "eve")
	d.login(t, "ada", password)
	d.pass(access.AbsoluteTime)
	d.login(t, "eve", password)
	var left int
	if err := d.pool.QueryRow(t.Context(), "SELECT count(*) FROM platform.session").Scan(&left); err != nil || left != 1 {
		t.Errorf("%d sessions are left (%v), want 1", left, err)
	}
}

// The cookie of a deployment is bound to its host and to TLS.
func TestSecureCookie(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(c *access.Config) { c.Origin = "https://platform.example" })
	d.user(t, "ada")
	b := &browser{door: d, header: http.Header{"Origin": {"https://platform.example"}}}
	_, _, header := b.send(t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`)
	want := "__Host-pharos_session=" + b.cookie + "; Path=/; Expires=Tue, 01 Dec 2026 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax"
	if diff := cmp.Diff(want, header.Get("Set-Cookie")); diff != "" {
		t.Error(diff)
	}
	for _, origin := range []string{"http://platform.example", "https://platform.example/", "https://", "platform.example"} {
		if _, err := access.New(access.Config{Origin: origin}); err == nil {
			t.Errorf("origin %q is taken", origin)
		}
	}
}
