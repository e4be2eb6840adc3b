package platform_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

const identityPath = "/internal/mcp/identity"

// ask asks who somebody is.
func ask(bearer string) call {
	return call{token: bearer, method: "POST", path: identityPath, body: "{}"}
}

// counts are the rows of every table that says who somebody is.
func (d *door) counts(t *testing.T) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for _, table := range []string{"identity", "party", "credential", "operator", "aup_acceptance", "session", "access_token"} {
		var n int64
		if err := d.pool.QueryRow(t.Context(), "SELECT count(*) FROM platform."+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		counts[table] = n
	}
	return counts
}

// TestIdentity tells the broker who somebody is, as they are now, and makes
// nobody.
//
// clause: E-28
func TestIdentity(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	parties := party.New(party.Config{Pool: d.pool, Now: now})
	do := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	profile := &party.Profile{DisplayName: "x", Email: "x@example.org"}
	do(parties.AddUser(t.Context(), party.NewUser{Username: "unregistered", Password: "correct horse battery staple"}))
	do(parties.AddUser(t.Context(), party.NewUser{
		Username: "pending", Password: "correct horse battery staple", Temporary: true, Profile: profile,
	}))
	d.user(t, "gone", false)
	do(parties.Deactivate(t.Context(), "gone"))
	before := d.counts(t)
	told := func(name string) (int, map[string]any) {
		t.Helper()
		w := ask(login(identityOf(name))).request(d.private)
		var m map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		if w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the answer may be kept", name)
		}
		return w.Code, m
	}
	know := func(name string, version float64, operator bool) {
		t.Helper()
		want := map[string]any{"party_id": d.anAssertion(t, name, "x").Party, "auth_version": version, "operator": operator}
		if status, got := told(name); status != 200 || !cmp.Equal(want, got) {
			t.Errorf("%s: %d %v, want %v", name, status, got, want)
		}
	}
	refuse := func(name, code, says string) {
		t.Helper()
		status, got := told(name)
		title, _ := got["title"].(string)
		if status != 403 || got["code"] != code || got["status"] != 403.0 || len(got) != 3 || !strings.Contains(title, says) {
			t.Errorf("%s: %d %v, want 403 %s and %q", name, status, got, code, says)
		}
	}
	know("ada", 1, false)
	know("otto", 1, true)
	refuse("stranger", "not_registered", "log in")
	refuse("unregistered", "not_registered", "log in")
	refuse("pending", "setup_required", "log in")
	refuse("gone", "deactivated", "deactivated")
	do(parties.Publish(t.Context(), "Acceptable use", "Research only.", noon))
	refuse("ada", "aup_required", "acceptable use policy")
	refuse("stranger", "not_registered", "log in")
	refuse("pending", "setup_required", "log in")
	if diff := cmp.Diff(before, d.counts(t)); diff != "" {
		t.Errorf("asking has made or removed somebody (-before +after):\n%s", diff)
	}
	do(parties.AcceptFor(t.Context(), "otto"))
	do(parties.Dismiss(t.Context(), "otto"))
	know("otto", 2, false)
}

// TestIdentityIsTheBrokersToAsk and nobody else's.
//
// clause: E-22, E-23, E-24, E-28
func TestIdentityIsTheBrokersToAsk(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	begun := call{method: "POST", path: "/auth/login", body: `{"username":"ada","password":"correct horse battery staple"}`}.request(d.public)
	cookie := "pharos_session=" + begun.Result().Cookies()[0].Value
	right := login(identityOf("ada"))
	changed := func(s signer, change func(*token.Claims)) string {
		c := claims(s.issuer, token.FamilyLogin, identityOf("ada"))
		change(&c)
		return must(s.Login(token.Login{Claims: c}))
	}
	access := token.Access{
		Claims:    claims(brokerIssuer, token.FamilyAccess, identityOf("ada")),
		Authority: d.anAssertion(t, "ada", "x", "parties:read").Authority, ClientID: "c",
	}
	later := func(by time.Duration) func(*token.Claims) {
		return func(c *token.Claims) { c.IssuedAt, c.Expires = c.IssuedAt.Add(by), c.Expires.Add(by) }
	}
	for name, c := range map[string]struct {
		call
		status int
	}{
		"nobody":                         {ask(""), 401},
		"F02: a cookie":                  {call{method: "POST", path: identityPath, body: "{}", header: map[string]string{"Cookie": cookie}}, 401},
		"F02: a gateway's assertion":     {ask(must(gateway.Assertion(d.anAssertion(t, "ada", "resolveIdentity", "parties:read")))), 401},
		"a personal access token":        {ask(d.otto), 401},
		"the broker's access token":      {ask(must(broker.Access(access))), 401},
		"F03: with a party":              {ask(broker.forge(token.FamilyLogin, right, `,"party_id":"p"`)), 401},
		"F03: with scopes":               {ask(broker.forge(token.FamilyLogin, right, `,"scope":"runs:read"`)), 401},
		"F03: with an operation":         {ask(broker.forge(token.FamilyLogin, right, `,"operation_id":"getRun"`)), 401},
		"F05: by the gateway":            {ask(changed(gateway, func(*token.Claims) {})), 401},
		"F05: by the gateway, as broker": {ask(changed(gateway, func(c *token.Claims) { c.Issuer = brokerIssuer })), 401},
		"for the other audience":         {ask(changed(broker, func(c *token.Claims) { c.Audience = token.AudienceAssertion })), 401},
		"expired":                        {ask(changed(broker, later(-30*time.Second))), 401},
		"its last second":                {ask(changed(broker, later(-29*time.Second))), 200},
		"from the future":                {ask(changed(broker, later(6*time.Second))), 401},
		"of a clock that is ahead":       {ask(changed(broker, later(5*time.Second))), 200},
		"in another scheme": {call{method: "POST", path: identityPath, body: "{}",
			header: map[string]string{"Authorization": "Basic " + login(identityOf("ada"))}}, 401},
		"in capital letters": {call{method: "POST", path: identityPath, body: "{}",
			header: map[string]string{"Authorization": "BEARER " + login(identityOf("ada"))}}, 200},
		"beside a cookie": {call{token: login(identityOf("ada")), method: "POST", path: identityPath, body: "{}",
			header: map[string]string{"Cookie": cookie}}, 400},
		"spelled in another way": {call{token: login(identityOf("ada")), method: "POST", path: "/internal/mcp/%69dentity", body: "{}"}, 200},
		"spelled, by nobody":     {call{method: "POST", path: "/internal/mcp/%69dentity", body: "{}"}, 401},
		"with another method":    {call{token: login(identityOf("ada")), method: "GET", path: identityPath}, 405},
		"itself":                 {ask(right), 200},
	} {
		w := c.request(d.private)
		if w.Code != c.status {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.status)
		}
		if w.Code >= 400 {
			problem(t, w)
		}
		want := map[int]string{400: `error="invalid_request"`, 401: `error="invalid_token"`}[w.Code]
		if c.token == "" && c.header["Authorization"] == "" {
			want = `Bearer realm="pharos"`
		}
		if got := w.Header().Get("WWW-Authenticate"); !strings.Contains(got, want) {
			t.Errorf("%s: the challenge is %q, want %q", name, got, want)
		}
	}
	log := d.log.take()
	const reason = `"reason":"the token is not valid: pharos-mcp-login+jwt: typ is another family"`
	if strings.Contains(log, "eyJ") || !strings.Contains(log, reason) {
		t.Errorf("the log: %s", log)
	}
	// Whatever is shown, the public does not have it.
	for _, bearer := range []string{"", d.otto, login(identityOf("ada"))} {
		if w := ask(bearer).request(d.public); w.Code != 404 {
			t.Errorf("in public: %d", w.Code)
		}
	}
	w := call{token: login(identityOf("ada")), method: "GET", path: "/parties/me"}.request(d.public)
	if w.Code != 401 || !strings.Contains(w.Header().Get("WWW-Authenticate"), "invalid_token") {
		t.Errorf("a login assertion for an operation: %d %s", w.Code, w.Body)
	}
	// Two at once are refused, though each is right.
	two := http.Header{"Authorization": {"Bearer " + login(identityOf("ada")), "Bearer " + login(identityOf("ada"))}}
	if w := ask("").requestWith(d.private, two); w.Code != 400 {
		t.Errorf("two assertions: %d", w.Code)
	}
}

// TestIdentityAsksNothing more than its assertion says.
//
// clause: E-24, E-28
func TestIdentityAsksNothing(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	for body, status := range map[string]int{
		"{}": 200, " {\n} \n": 200, `{"party_id":"x"}`: 400, `{"":1}`: 400, "null": 400, "[]": 400, "{}{}": 400, "{} x": 400,
		"{": 400, " ": 400, "": 400,
	} {
		w := call{
			token: login(identityOf("ada")), method: "POST", path: identityPath, body: body,
			header: map[string]string{"Content-Type": "application/json"},
		}.request(d.private)
		if w.Code != status {
			t.Errorf("%q: %d %s, want %d", body, w.Code, w.Body, status)
		}
	}
}

// TestLoginAssertionIsTakenOnce of all who show it at a time, by two instances.
//
// clause: E-26
func TestLoginAssertionIsTakenOnce(t *testing.T) {
	t.Parallel()
	one := newDoor(t).users(t)
	other := newDoorTo(t, one.pool)
	for range 4 {
		request, statuses := ask(login(identityOf("ada"))), make([]int, 16)
		begin := make(chan struct{})
		var all sync.WaitGroup
		for n := range statuses {
			all.Go(func() {
				<-begin
				statuses[n] = request.request([]*door{one, other}[n%2].private).Code
			})
		}
		close(begin)
		all.Wait()
		count := map[int]int{}
		for _, status := range statuses {
			count[status]++
		}
		if diff := cmp.Diff(map[int]int{200: 1, 401: 15}, count); diff != "" {
			t.Errorf("F15: 16 times the same one (-want +got):\n%s", diff)
		}
	}
	// One that was refused for what it asks is spent as well.
	spent := login(identityOf("ada"))
	bad := ask(spent)
	bad.body = `{"x":1}`
	if first, then := bad.request(other.private).Code, ask(spent).request(one.private).Code; first != 400 || then != 401 {
		t.Errorf("spent on a bad request: %d, then %d", first, then)
	}
	if log := one.log.take(); !strings.Contains(log, `"reason":"the login assertion was shown before"`) {
		t.Errorf("the log: %s", log)
	}
}

// TestUsedAssertionsAreKeptForAMinute: longer than any of them lives.
//
// clause: E-26
func TestUsedAssertionsAreKeptForAMinute(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	for id, age := range map[string]time.Duration{"old": time.Minute, "older": time.Hour, "young": time.Minute - time.Microsecond} {
		if _, err := d.pool.Exec(t.Context(), "INSERT INTO platform.login_assertion VALUES ($1, $2)", id, noon.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	c := claims(brokerIssuer, token.FamilyLogin, identityOf("ada"))
	c.ID = "zz"
	if w := ask(must(broker.Login(token.Login{Claims: c}))).request(d.private); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	rows, err := d.pool.Query(t.Context(), "SELECT jti FROM platform.login_assertion ORDER BY jti")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if diff := cmp.Diff([]string{"young", "zz"}, kept); err != nil || diff != "" {
		t.Errorf("%v, kept (-want +got):\n%s", err, diff)
	}
}
