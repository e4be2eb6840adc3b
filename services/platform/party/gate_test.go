package party_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/platform/access"
)

// clause: E-27
func TestOneCredential(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	me := d.user(t, "ada")
	good := d.token(t, me, "parties:read").header.Get("Authorization")
	cookie := "pharos_session=" + d.login(t, "ada", password).cookie
	for name, c := range map[string]struct {
		header    http.Header
		status    int
		challenge string
	}{
		"nothing":                    {http.Header{}, 401, `Bearer realm="pharos"`},
		"a token":                    {http.Header{"Authorization": {good}}, 200, ""},
		"in another letter case":     {http.Header{"Authorization": {strings.Replace(good, "Bearer", "bEARER", 1)}}, 200, ""},
		"a session":                  {http.Header{"Cookie": {cookie}}, 200, ""},
		"among other cookies":        {http.Header{"Cookie": {"a=b; " + cookie + "; c=d"}}, 200, ""},
		"a token and a session":      {http.Header{"Authorization": {good}, "Cookie": {cookie}}, 400, `error="invalid_request"`},
		"a bad one and a session":    {http.Header{"Authorization": {"Bearer x"}, "Cookie": {cookie}}, 401, `error="invalid_token"`},
		"an empty one and a session": {http.Header{"Authorization": {"Bearer"}, "Cookie": {cookie}}, 401, `error="invalid_token"`},
		"two tokens":                 {http.Header{"Authorization": {good, good}}, 400, `error="invalid_request"`},
		"two sessions":               {http.Header{"Cookie": {cookie + "; " + cookie}}, 400, `error="invalid_request"`},
		"a bad token":                {http.Header{"Authorization": {good[:len(good)-1]}}, 401, `error="invalid_token"`},
		"another scheme":             {http.Header{"Authorization": {"Basic YTpi"}}, 401, `error="invalid_token"`},
		"no scheme":                  {http.Header{"Authorization": {strings.TrimPrefix(good, "Bearer ")}}, 401, `error="invalid_token"`},
		"an empty header":            {http.Header{"Authorization": {""}}, 401, `error="invalid_token"`},
		"two tokens in one":          {http.Header{"Authorization": {good + ", " + good}}, 401, `error="invalid_token"`},
		"an unknown session":         {http.Header{"Cookie": {"pharos_session=" + strings.Repeat("A", 43)}}, 401, `Bearer realm="pharos"`},
		"an empty session":           {http.Header{"Cookie": {"pharos_session="}}, 401, `Bearer realm="pharos"`},
		"the secure cookie":          {http.Header{"Cookie": {"__Host-" + cookie}}, 401, `Bearer realm="pharos"`},
	} {
		b := &browser{door: d, header: c.header}
		status, text, header := b.send(t, "GET", "/parties/me", "")
		if status != c.status || !strings.Contains(header.Get("WWW-Authenticate"), c.challenge) {
			t.Errorf("%s: %d %s %q\nwant %d %q", name, status, text, header.Get("WWW-Authenticate"), c.status, c.challenge)
		}
		if header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the answer may be kept", name)
		}
	}
	// A bearer that fails, fails at a login too.
	(&browser{door: d, header: http.Header{"Authorization": {"Bearer x"}}}).want(
		t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, 401, "bearer token")
}

func TestForgery(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b, other := d.login(t, "ada", password), d.login(t, "ada", password)
	body := `{"current":"` + password + `","replacement":"short"}` // refused with 400 behind the gate
	for name, c := range map[string]struct {
		csrf   string
		header http.Header
		status int
	}{
		"its own page":            {b.csrf, http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {"http://example.com"}}, 400},
		"a program":               {b.csrf, nil, 400},
		"no token":                {"", nil, 403},
		"another session's token": {other.csrf, nil, 403},
		"half a token":            {b.csrf[:20], nil, 403},
		"two tokens":              {"", http.Header{"X-Csrf-Token": {b.csrf, b.csrf}}, 403},
		"another site":            {b.csrf, http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		"another origin":          {b.csrf, http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		"another Origin":          {b.csrf, http.Header{"Origin": {"http://evil.example"}}, 403},
		"an opaque Origin":        {b.csrf, http.Header{"Origin": {"null"}}, 403},
	} {
		tried := &browser{door: d, cookie: b.cookie, csrf: c.csrf, header: c.header}
		if status, text, _ := tried.send(t, "POST", "/auth/password", body); status != c.status {
			t.Errorf("%s: %d %s, want %d", name, status, text, c.status)
		}
	}
	evil := &browser{door: d, header: http.Header{"Sec-Fetch-Site": {"cross-site"}, "Origin": {"http://evil.example"}}}
	evil.want(t, "POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, 403, "another origin")
	reads := &browser{door: d, cookie: b.cookie}
	reads.want(t, "GET", "/parties/me", "", 200, "ada")
	reads.want(t, "PATCH", "/parties/me", `{}`, 403, access.CSRFHeader)
}

// clause: E-40
func TestScopes(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	me := d.user(t, "ada")
	read := d.token(t, me, "parties:read")
	read.want(t, "GET", "/parties/me", "", 200, "ada")
	read.header.Set("Idempotency-Key", "22222222-2222-4222-8222-222222222222")
	read.header.Set("If-Match", "1")
	status, text, header := read.send(t, "PATCH", "/parties/me", `{"display_name":"A"}`)
	if want := `Bearer realm="pharos", error="insufficient_scope", scope="parties:write"`; status != 403 ||
		header.Get("WWW-Authenticate") != want || !strings.Contains(text, `"forbidden"`) {
		t.Errorf("a write by a token that reads: %d %s %s", status, header.Get("WWW-Authenticate"), text)
	}
	read.want(t, "GET", "/support/admin/tickets", "", 403, "for operators")
	d.token(t, me, "runs:read").want(t, "GET", "/aup/versions", "", 403, "parties:read")

	if _, err := d.parties.Enrol(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	me.AuthVersion, me.Operator = 2, true
	d.token(t, me, "parties:read").want(t, "GET", "/support/admin/tickets", "", 403, "the token lacks the scope support:admin")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b := d.login(t, "ada", password)
	create := func(name, scopes, expires string) string {
		return `{"name":"` + name + `","scopes":[` + scopes + `],"expires_at":"` + expires + `"}`
	}
	const read, day = `"parties:read"`, "2026-12-01T12:00:00Z"
	for name, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"no name":            {create("", read, day), 400, "name"},
		"a long name":        {create(strings.Repeat("é", 81), read, day), 400, "name"},
		"a name of two":      {create(`a\nb`, read, day), 400, "plain text"},
		"no scope":           {create("a", "", day), 400, "scopes"},
		"an unknown scope":   {create("a", `"parties:delete"`, day), 400, "does not exist"},
		"an operator's":      {create("a", `"support:admin"`, day), 403, "not yours"},
		"a scope twice":      {create("a", read+","+read, day), 400, "twice"},
		"less than a minute": {create("a", read, "2026-11-30T12:00:59.999999Z"), 400, "lasts"},
		"over 366 days":      {create("a", read, "2027-12-01T12:00:00.000001Z"), 400, "lasts"},
		"a minute":           {create("a", read, "2026-11-30T12:01:00Z"), 201, "pharos_pat_"},
		"366 days":           {create(strings.Repeat("é", 80), read, "2027-12-01T12:00:00Z"), 201, `"scopes":["parties:read"]`},
	} {
		t.Run(name, func(t *testing.T) { b.want(t, "POST", "/auth/tokens", c.body, c.status, c.says) })
	}
	d.pass(30 * time.Second)
	text := b.want(t, "POST", "/auth/tokens", create("mine", read, day), 201, "pharos_pat_")
	secret := field(t, text, "token")
	mine := d.bearer(secret)
	b.want(t, "GET", "/auth/tokens?limit=1", "", 200, `"name":"mine","scopes":["parties:read"]}],"next_cursor":"`)
	mine.want(t, "GET", "/parties/me", "", 200, "ada")
	b.want(t, "GET", "/auth/tokens?limit=1", "", 200, `"last_used_at":"2026-11-30T12:00:30Z"`)
	mine.want(t, "POST", "/auth/tokens", create("a", read, day), 403, "session of a login")
	mine.want(t, "GET", "/auth/tokens", "", 403, "session of a login")
	mine.want(t, "GET", "/auth/session", "", 403, "session of a login")

	other := d.user(t, "eve")
	eve := d.login(t, "eve", password)
	eve.want(t, "GET", "/auth/tokens", "", 200, `{"items":[]}`)
	eve.want(t, "DELETE", "/auth/tokens/"+field(t, text, "id"), "", 404, "there is no such token")
	eve.want(t, "DELETE", "/auth/tokens/x", "", 400, "UUID")

	d.pass(24*time.Hour - 30*time.Second - time.Microsecond)
	mine.want(t, "GET", "/parties/me", "", 200, "ada")
	d.pass(time.Microsecond)
	mine.want(t, "GET", "/parties/me", "", 401, "bearer token")

	hers := d.token(t, other, "parties:read")
	hers.want(t, "GET", "/parties/me", "", 200, "eve")
	eve = d.login(t, "eve", password)
	id := field(t, eve.want(t, "GET", "/auth/tokens", "", 200, `"name":"test"`), "id")
	eve.want(t, "DELETE", "/auth/tokens/"+id, "", 204, "")
	eve.want(t, "DELETE", "/auth/tokens/"+id, "", 404, "there is no such token")
	hers.want(t, "GET", "/parties/me", "", 401, "bearer token")
}

func TestTokensAreBounded(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	me := d.user(t, "ada")
	for range 50 {
		d.token(t, me, "parties:read")
	}
	p := access.Principal{Party: me.Party, AuthVersion: 1}
	tomorrow := d.time().Add(25 * time.Hour)
	if _, _, err := d.access.CreateToken(t.Context(), p, "a", []string{"parties:read"}, tomorrow); err == nil {
		t.Error("a Party has 51 tokens")
	}
	d.pass(24 * time.Hour) // they have expired
	if _, _, err := d.access.CreateToken(t.Context(), p, "a", []string{"parties:read"}, tomorrow); err != nil {
		t.Error(err)
	}
	p.AuthVersion = 2
	if _, _, err := d.access.CreateToken(t.Context(), p, "a", []string{"parties:read"}, tomorrow); err == nil {
		t.Error("a token is made for an auth_version that the Party does not have")
	}
}

// field is a member of a JSON text, wherever it stands first.
func field(t *testing.T, text, name string) string {
	t.Helper()
	_, after, ok := strings.Cut(text, `"`+name+`":"`)
	value, _, closed := strings.Cut(after, `"`)
	if !ok || !closed {
		t.Fatalf("%s has no %s", text, name)
	}
	return value
}

// Diagnostics answer whoever asks, and without a database.
func TestDiagnosticsNeedNoDatabase(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b := d.login(t, "ada", password)
	d.pool.Close()
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	d.handler = d.access.Gate(ok, func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusServiceUnavailable) })
	token := http.Header{"Authorization": {"Bearer x"}}
	for _, path := range []string{"/healthz", "/readyz", "/version"} {
		b.want(t, "GET", path, "", 200, "")
		b.want(t, "HEAD", path, "", 200, "")
		(&browser{door: d, header: token}).want(t, "GET", path, "", 200, "")
		b.want(t, "POST", path, "", 503, "")
		b.want(t, "GET", path+"/", "", 503, "")
	}
}
