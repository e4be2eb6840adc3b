package platform_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/token"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// requests are one request for each operation of the document, by its id, that
// comes as far as to the operation's rule: nothing more of it need be right.
func requests(t *testing.T) map[string]call {
	t.Helper()
	text, err := os.ReadFile("../../generated/platform/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody any
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	values := strings.NewReplacer("{id}", keyA, "{party_id}", keyA, "{version}", "1", "{name}", "debug")
	all := map[string]call{}
	for path, methods := range document.Paths {
		for method, op := range methods {
			c := call{method: strings.ToUpper(method), path: values.Replace(path), header: command("1")}
			if op.RequestBody != nil {
				c.body = "{}"
			}
			all[op.OperationID] = c
		}
	}
	return all
}

// as shows an assertion of the gateway's.
func (c call) as(a token.Assertion) call {
	c.token = must(gateway.Assertion(a))
	return c
}

// TestAssertions are for one operation each, of the 54, and for the scopes that
// they list.
//
// clause: E-23, E-40
func TestAssertions(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	all, tools := requests(t), catalog.Catalog().Operations
	if len(tools) != 54 {
		t.Fatalf("%d operations", len(tools))
	}
	for n, op := range tools {
		request, other := all[op.ID], tools[(n+1)%len(tools)]
		operators := strings.HasSuffix(op.Scope, ":admin")
		// With its own scope alone it comes to the operation's own judgement.
		w := request.as(d.anAssertion(t, "otto", op.ID, op.Scope)).request(d.public)
		if w.Code == 401 || w.Code == 403 || w.Code >= 500 {
			t.Errorf("%s: %d %s", op.ID, w.Code, w.Body)
		}
		// For another operation it is for nobody, even with every scope.
		scopes := []string{"support:admin"}
		for _, o := range tools {
			scopes = append(scopes, o.Scope)
		}
		slices.Sort(scopes)
		scopes = slices.Compact(scopes)
		w = request.as(d.anAssertion(t, "otto", other.ID, scopes...)).request(d.public)
		if code := problem(t, w); w.Code != 401 || code != "unauthenticated" ||
			!strings.Contains(w.Header().Get("WWW-Authenticate"), `error="invalid_token"`) {
			t.Errorf("%s with an assertion for %s: %d %s", op.ID, other.ID, w.Code, code)
		}
		// F07: the gateway has signed it, and the scope is missing all the same.
		scopes = slices.DeleteFunc(scopes, func(s string) bool { return s == op.Scope })
		w = request.as(d.anAssertion(t, "otto", op.ID, scopes...)).request(d.public)
		if code := problem(t, w); w.Code != 403 || code != "forbidden" || !strings.Contains(
			w.Header().Get("WWW-Authenticate"), `error="insufficient_scope", scope="`+op.Scope+`"`) {
			t.Errorf("F07: %s without %s: %d %s", op.ID, op.Scope, w.Code, code)
		}
		// A scope of operators is for operators, whoever has signed it.
		if !operators {
			continue
		}
		w = request.as(d.anAssertion(t, "ada", op.ID, op.Scope)).request(d.public)
		if code := problem(t, w); w.Code != 403 || code != "forbidden" {
			t.Errorf("%s by a member: %d %s", op.ID, w.Code, code)
		}
	}
}

// others are the operations that are no tools, by what the manifest calls them.
var others = map[string]string{
	"POST /auth/aup": "acceptAup", "POST /auth/login": "login", "POST /auth/logout": "logout", "POST /auth/password": "changePassword",
	"POST /auth/registration": "register", "GET /auth/session": "getSession", "GET /auth/tokens": "listAccessTokens",
	"POST /auth/tokens": "createAccessToken", "DELETE /auth/tokens/{id}": "deleteAccessToken", "GET /events": "streamEvents",
	"GET /healthz": "health", "GET /readyz": "ready", "GET /version": "version", "GET /internal/executors": "listExecutors",
	"POST /internal/mcp/identity": "resolveIdentity",
}

// TestAssertionsAreForTools, whatever the gateway has signed for the others.
//
// clause: E-23, E-27
func TestAssertionsAreForTools(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	text, err := os.ReadFile("../../manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Catalogs struct {
			Platform struct {
				Operations struct {
					Platform map[string]struct{ Exclude string }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	excluded := 0
	for route, decision := range manifest.Catalogs.Platform.Operations.Platform {
		if decision.Exclude == "" {
			continue
		}
		excluded++
		want := map[string]int{"diagnostics": 200, "internal-relay": 404}[decision.Exclude] // whatever is shown
		if want == 0 {
			want = 401
		}
		method, path, _ := strings.Cut(strings.ReplaceAll(route, "{id}", keyA), " ")
		request := call{method: method, path: path}
		if method == "POST" {
			request.body = `{"username":"ada","password":"correct horse battery staple"}`
		}
		for _, operation := range []string{others[route], "getMyParty"} {
			w := request.as(d.anAssertion(t, "otto", operation, "runs:read", "support:admin")).request(d.public)
			if w.Code != want || want == 401 && !strings.Contains(w.Header().Get("WWW-Authenticate"), "invalid_token") {
				t.Errorf("%s: %d %s, want %d", route, w.Code, w.Body, want)
			}
		}
	}
	if excluded != len(others) {
		t.Errorf("%d operations are no tools, want %d", excluded, len(others))
	}
}

// mine is an operation that shows who calls.
var mine = call{method: "GET", path: "/parties/me"}

// TestAssertionsThatStandForNobody are refused alike.
//
// clause: E-22, E-23, E-24, E-25, E-27
func TestAssertionsThatStandForNobody(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	if _, err := d.pool.Exec(t.Context(), "UPDATE platform.party SET auth_version = 3 WHERE username = 'ada'"); err != nil {
		t.Fatal(err)
	}
	otto := d.anAssertion(t, "otto", "getMyParty", "parties:read")
	right := func() token.Assertion {
		a := d.anAssertion(t, "ada", "getMyParty", "parties:read")
		a.AuthVersion = 3
		return a
	}
	if w := mine.as(right()).request(d.public); w.Code != 200 || !strings.Contains(w.Body.String(), `"username":"ada"`) {
		t.Fatalf("the right one: %d %s", w.Code, w.Body)
	}
	d.log.take()
	refuse := func(name, compact, reason string) {
		t.Helper()
		c := mine
		c.token = compact
		w := c.request(d.public)
		const alike = `{"code":"unauthenticated","status":401,"title":"the bearer token is not valid"}` + "\n"
		if w.Code != 401 || w.Body.String() != alike ||
			w.Header().Get("WWW-Authenticate") != `Bearer realm="pharos", error="invalid_token"` {
			t.Errorf("%s: %d %s %s", name, w.Code, w.Body, w.Header().Get("WWW-Authenticate"))
		}
		if log := d.log.take(); !strings.Contains(log, reason) || strings.Contains(log, "eyJ") {
			t.Errorf("%s: the log says %s, want %q", name, log, reason)
		}
	}
	const other, changed = "the identity is not, or not any more, the party's", "the party's authority has changed"
	for name, c := range map[string]struct {
		change func(*token.Assertion)
		reason string
	}{
		"F14: an older authority":       {func(a *token.Assertion) { a.AuthVersion = 2 }, changed},
		"a later authority":             {func(a *token.Assertion) { a.AuthVersion = 4 }, changed},
		"another party":                 {func(a *token.Assertion) { a.Party = otto.Party }, other},
		"no party":                      {func(a *token.Assertion) { a.Party = keyA }, other},
		"a party in capital letters":    {func(a *token.Assertion) { a.Party = strings.ToUpper(a.Party) }, other},
		"another identity":              {func(a *token.Assertion) { a.Identity = otto.Identity }, other},
		"another issuer":                {func(a *token.Assertion) { a.Identity.Issuer = "https://login.example" }, "it stands for nobody"},
		"another subject":               {func(a *token.Assertion) { a.Identity.Subject = "Ada" }, "it stands for nobody"},
		"another voperson_id":           {func(a *token.Assertion) { a.Identity.VopersonID = "otto" }, "it stands for nobody"},
		"another operation":             {func(a *token.Assertion) { a.OperationID = "updateMyParty" }, "for another operation"},
		"the operation in small":        {func(a *token.Assertion) { a.OperationID = "getmyparty" }, "for another operation"},
		"the operation with a capital":  {func(a *token.Assertion) { a.OperationID = "GetMyParty" }, "for another operation"},
		"the name of the tool":          {func(a *token.Assertion) { a.OperationID = "get_my_party" }, "for another operation"},
		"the other audience":            {func(a *token.Assertion) { a.Audience = token.AudienceLogin }, "aud is another"},
		"an issuer that is not trusted": {func(a *token.Assertion) { a.Issuer = gatewayIssuer + "/" }, "iss is not"},
		"expired": {func(a *token.Assertion) {
			a.IssuedAt, a.Expires = noon.Add(-30*time.Second), noon
		}, "expired"},
		"from the future": {func(a *token.Assertion) {
			a.IssuedAt, a.Expires = noon.Add(6*time.Second), noon.Add(36*time.Second)
		}, "iat is in the future"},
	} {
		a := right()
		c.change(&a)
		refuse(name, must(gateway.Assertion(a)), c.reason)
	}
	broken := right()
	broken.Issuer = brokerIssuer
	refuse("F05: by the broker", must(broker.Assertion(broken)), "kid is not enrolled")
	refuse("F05: by the broker, as gateway", must(broker.Assertion(right())), "kid is not enrolled")
	refuse("F04: a client beside the operation",
		gateway.forge(token.FamilyAssertion, must(gateway.Assertion(right())), `,"client_id":"c"`), "claims")
	access := token.Access{
		Claims: claims(brokerIssuer, token.FamilyAccess, identityOf("ada")), Authority: right().Authority, ClientID: "c",
	}
	refuse("F01: the broker's access token", must(broker.Access(access)), "another family")
	access.Claims = claims(gatewayIssuer, token.FamilyAccess, identityOf("ada"))
	access.Audience = token.AudienceAssertion
	refuse("F04: a client in place of the operation, by the gateway", must(gateway.Access(access)), "another family")
	refuse("F02: a login assertion", login(identityOf("ada")), "another family")
	refuse("half of it", must(gateway.Assertion(right()))[:100], "not three parts")

	if _, err := d.pool.Exec(t.Context(), "UPDATE platform.identity SET party_id = NULL WHERE subject = 'ada'"); err != nil {
		t.Fatal(err)
	}
	refuse("an identity that is no more the party's", must(gateway.Assertion(right())), other)
	nobodys := right()
	nobodys.Party = "00000000-0000-0000-0000-000000000000"
	refuse("an identity that is nobody's", must(gateway.Assertion(nobodys)), changed)
}

// TestNoAssertionGoesOverToACookie, though the cookie is good.
//
// clause: E-27
func TestNoAssertionGoesOverToACookie(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	begun := call{method: "POST", path: "/auth/login", body: `{"username":"ada","password":"correct horse battery staple"}`}.request(d.public)
	cookie := map[string]string{"Cookie": "pharos_session=" + begun.Result().Cookies()[0].Value}
	if w := (call{method: "GET", path: "/parties/me", header: cookie}).request(d.public); w.Code != 200 {
		t.Fatalf("the cookie alone: %d %s", w.Code, w.Body)
	}
	right := must(gateway.Assertion(d.anAssertion(t, "ada", "getMyParty", "parties:read")))
	elsewhere := must(gateway.Assertion(d.anAssertion(t, "ada", "getRun", "runs:read")))
	for name, c := range map[string]struct {
		authorization []string
		status        int
		challenge     string
	}{
		"F12: a bad one":                    {[]string{"Bearer " + right[:len(right)-3] + "AAA"}, 401, "invalid_token"},
		"F12: a broker's":                   {[]string{"Bearer " + login(identityOf("ada"))}, 401, "invalid_token"},
		"F12: none":                         {[]string{"Bearer"}, 401, "invalid_token"},
		"F12: nothing":                      {[]string{""}, 401, "invalid_token"},
		"F12: a space":                      {[]string{"Bearer "}, 401, "invalid_token"},
		"F13: two":                          {[]string{"Bearer " + right, "Bearer " + right}, 400, "invalid_request"},
		"a right one is one credential too": {[]string{"Bearer " + right}, 400, "invalid_request"},
		"one for another operation":         {[]string{"Bearer " + elsewhere}, 400, "invalid_request"},
	} {
		request := mine
		request.header = cookie
		w := request.requestWith(d.public, http.Header{"Authorization": c.authorization})
		if w.Code != c.status || !strings.Contains(w.Header().Get("WWW-Authenticate"), c.challenge) {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.status)
		}
	}
	for _, path := range []string{"/parties/me?access_token=" + right, "/parties/me?authorization=" + right} {
		if w := (call{method: "GET", path: path}).request(d.public); w.Code != 401 {
			t.Errorf("F13: %d for a token in the query", w.Code)
		}
	}
}

// TestAssertionsAreRechecked: what a Party may do is what it may do now.
//
// clause: E-23, E-29
func TestAssertionsAreRechecked(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	queue := requests(t)["listSupportQueue"]
	mySetup := requests(t)["getMyPartySetup"]
	otto := d.anAssertion(t, "otto", "listSupportQueue", "parties:read", "support:admin")
	ada := d.anAssertion(t, "ada", "getMyParty", "parties:read")
	setup := d.anAssertion(t, "ada", "getMyPartySetup", "parties:read")
	change := func(sql string) {
		t.Helper()
		if _, err := d.pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	want := func(name string, c call, status int, says string) {
		t.Helper()
		if w := c.request(d.public); w.Code != status || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d %s, want %d %s", name, w.Code, w.Body, status, says)
		}
	}
	want("an operator", queue.as(otto), 200, "items")
	// These rows change without a new auth_version, and are looked up all the same.
	change("DELETE FROM platform.operator")
	want("an operator no more", queue.as(otto), 403, "for operators")
	change("INSERT INTO platform.operator SELECT id, now() FROM platform.party WHERE username = 'ada'")
	member := d.anAssertion(t, "ada", "listSupportQueue", "parties:read")
	want("an operator whose grant is older", queue.as(member), 403, "lacks the scope support:admin")

	want("a member", mine.as(ada), 200, "ada")
	change("UPDATE platform.party SET state = 'setup_pending' WHERE username = 'ada'")
	want("setup is pending", mine.as(ada), 403, "setup_required")
	want("what is left to do", mySetup.as(setup), 200, `"setup":"pending"`)
	change("UPDATE platform.party SET state = 'deactivated' WHERE username = 'ada'")
	want("deactivated", mine.as(ada), 403, "deactivated")
	want("deactivated, and what is left to do", mySetup.as(setup), 403, "deactivated")
	change("UPDATE platform.party SET state = 'active' WHERE username = 'ada'")
	parties := party.New(party.Config{Pool: d.pool, Now: now})
	if _, err := parties.Publish(t.Context(), "Acceptable use", "Research only.", noon); err != nil {
		t.Fatal(err)
	}
	want("a policy is due", mine.as(ada), 403, "setup_required")
	want("a policy, and what is left to do", mySetup.as(setup), 200, `"aup":"required"`)
	if _, err := parties.AcceptFor(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	want("it is accepted", mine.as(ada), 200, "ada")
	if _, err := parties.Enrol(t.Context(), "otto"); err != nil {
		t.Fatal(err)
	}
	want("F14: enrolled again", queue.as(otto), 401, "unauthenticated")
}

// TestAssertedCommands have receipts that are their Party's, whichever way it
// calls.
//
// clause: E-26, E-41
func TestAssertedCommands(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	create := call{method: "PUT", path: ticket, body: body, header: command("0")}
	asserted := create.as(d.anAssertion(t, "ada", "createSupportTicket", "support:write"))
	first := asserted.request(d.public)
	if first.Code != 201 {
		t.Fatalf("%d %s", first.Code, first.Body)
	}
	withToken := create
	withToken.token = d.ada
	for name, c := range map[string]call{"the same assertion again": asserted, "a personal access token": withToken} {
		if w := c.request(d.public); w.Code != 201 || w.Body.String() != first.Body.String() {
			t.Errorf("%s: %d %s, want %s", name, w.Code, w.Body, first.Body)
		}
	}
	var n int
	if err := d.pool.QueryRow(t.Context(), "SELECT count(*) FROM platform.ticket").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d tickets, %v", n, err)
	}
}

// statements counts those that are sent to a database.
type statements struct{ n atomic.Int64 }

// TraceQueryStart implements pgx.QueryTracer.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.n.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TestAssertionsCostOneStatement, as a token does that was used a moment ago.
func TestAssertionsCostOneStatement(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t, "platform")
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	var sent statements
	config.ConnConfig.Tracer = &sent
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	d := newDoorTo(t, pool).users(t)
	nothing := call{method: "GET", path: "/nothing"}
	withToken := nothing
	withToken.token = d.ada
	withToken.request(d.public) // which notes that it is in use
	a := d.anAssertion(t, "ada", "getMyParty", "parties:read")
	for name, c := range map[string]call{"a token": withToken, "an assertion": nothing.as(a)} {
		before := sent.n.Load()
		if w := c.request(d.public); w.Code != 404 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if n := sent.n.Load() - before; n != 1 {
			t.Errorf("%s: %d statements, want 1", name, n)
		}
	}
	before := sent.n.Load()
	bad := a
	bad.Issuer = brokerIssuer
	for _, c := range []call{nothing.as(bad), {token: "x", method: "GET", path: "/nothing"}} {
		if w := c.request(d.public); w.Code != 401 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if n := sent.n.Load() - before; n != 0 {
		t.Errorf("%d statements for what is no token", n)
	}
}
