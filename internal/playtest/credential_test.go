package playtest

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// authorToken is a new personal token of an account.
func authorToken(t *testing.T, s stage, username string) string {
	t.Helper()
	accounts := account.New(account.Config{Pool: pgtest.Pool(t, s.database)})
	a, err := accounts.ByUsername(t.Context(), username)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := accounts.IssueToken(t.Context(), a.ID, uuid.New(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCredentials: whatever is wrong with what a request shows, it is told the
// same, to the byte; and a login is no credential here.
//
// clause: P-02, P-04, P-07, P-30, P-48
func TestCredentials(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	author, revoked := authorToken(t, s, "gm"), authorToken(t, s, "gm")
	pool := pgtest.Pool(t, s.database)
	exec := func(sql string) {
		t.Helper()
		if _, err := pool.Exec(context.Background(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`DELETE FROM play.author_token WHERE created_at = (SELECT max(created_at) FROM play.author_token)`)
	p := serve(t, configure(t, s.database, nil))
	cookie := logIn(t, p, "player", s.passwords["player"])

	if got := send(t, http.MethodPost, p.url+"/play/mcp", initialize, shown(s.token)); got.Status != http.StatusOK {
		t.Fatalf("the play token: %+v", got)
	}
	if got := send(t, http.MethodPost, p.url+"/mcp", initialize, shown(author)); got.Status != http.StatusOK {
		t.Fatalf("the author's token: %+v", got)
	}
	want := reply{
		Status: http.StatusUnauthorized, Challenge: []string{"Bearer"},
		Body: `{"jsonrpc":"2.0","id":7,"error":{"code":401,"message":"a valid token is needed"}}`,
	}
	unknown := s.token[:len(s.token)-8] + strings.Repeat("a", 8)
	both := map[string]http.Header{
		"nothing": {}, "an unknown token": shown(unknown), "an unknown author's token": shown(author[:len(author)-8] + strings.Repeat("a", 8)),
		"a prefix alone": shown("pharos_play_"), "no token": {"Authorization": {"Bearer"}}, "an empty token": {"Authorization": {"Bearer "}},
		"another scheme": {"Authorization": {"Basic " + s.token}}, "no scheme": {"Authorization": {s.token}},
		"two tokens": {"Authorization": {"Bearer " + s.token, "Bearer " + author}}, "a long token": shown(strings.Repeat("a", 20_000)),
		"U+0000": shown("pharos_play_%00"), "a login": {"Cookie": {cookie}},
		"a login beside an unknown token": {"Cookie": {cookie}, "Authorization": {"Bearer " + unknown}},
		"a login as a token":              shown(cookie[strings.Index(cookie, "=")+1:]),
		"a revoked author's token":        shown(revoked),
		"a token in the address":          {"X-Query": {"?access_token=" + s.token + "&token=" + author}},
	}
	for _, path := range []string{"/play/mcp", "/mcp"} {
		wrong := map[string]http.Header{"/play/mcp": shown(author), "/mcp": shown(s.token)}[path]
		check := func(name string, header http.Header) {
			t.Helper()
			got := send(t, http.MethodPost, p.url+path+header.Get("X-Query"), initialize, header)
			got.header = nil
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(reply{})); diff != "" {
				t.Errorf("%s with %s (-want +got):\n%s", path, name, diff)
			}
		}
		for name, header := range both {
			check(name, header)
		}
		check("a token of the other kind", wrong)
	}
	exec(`UPDATE play.access_token SET expires_at = now() - interval '1 second', created_at = now() - interval '15 days'`)
	got := send(t, http.MethodPost, p.url+"/play/mcp", initialize, shown(s.token))
	if got.header = nil; !cmp.Equal(want, got, cmp.AllowUnexported(reply{})) {
		t.Errorf("an expired token: %+v", got)
	}
	exec(`UPDATE play.access_token SET expires_at = now() + interval '1 day'`)
	if got := send(t, http.MethodPost, p.url+"/play/mcp", initialize, shown(s.token)); got.Status != http.StatusOK {
		t.Fatalf("a token that lives again: %+v", got)
	}
	play := s.token
	for _, who := range []string{"gm", "player"} {
		own := authorToken(t, s, who)
		for _, step := range []string{"disable", "enable"} {
			administer(t, s.database, "account", step, who)
			for path, token := range map[string]string{"/play/mcp": play, "/mcp": own} {
				got := send(t, http.MethodPost, p.url+path, initialize, shown(token))
				if got.header = nil; !cmp.Equal(want, got, cmp.AllowUnexported(reply{})) {
					t.Errorf("%s after %s %s: %+v", path, step, who, got)
				}
			}
		}
		play = playToken(t, s, who)
		if got := send(t, http.MethodPost, p.url+"/play/mcp", initialize, shown(play)); got.Status != http.StatusOK {
			t.Errorf("a new token of %s: %+v", who, got)
		}
	}
}

// playToken is a new play token of the session, made by somebody in it.
func playToken(t *testing.T, s stage, username string) string {
	t.Helper()
	pool := pgtest.Pool(t, s.database)
	var session, viewer uuid.UUID
	err := pool.QueryRow(t.Context(),
		"SELECT s.id, a.id FROM play.assignment AS s, play.account AS a WHERE a.username = $1", username).Scan(&session, &viewer)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := assignment.New(assignment.Config{Pool: pool, Now: time.Now}).GenerateToken(t.Context(), viewer, session)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func shown(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// logIn gives the cookie of a new login.
func logIn(t *testing.T, p *process, username, password string) string {
	t.Helper()
	form := url.Values{"username": {username}, "password": {password}}
	got := send(t, http.MethodPost, p.url+"/login/", form.Encode(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	for _, c := range (&http.Response{Header: got.header}).Cookies() {
		if c.Name == "pharos_login" && c.Value != "" {
			return c.Name + "=" + c.Value
		}
	}
	t.Fatalf("no cookie: status %d\n%s", got.Status, got.Body)
	return ""
}
