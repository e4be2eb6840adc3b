package account

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/secret"
)

// clause: P-47
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	const moment, used = time.Microsecond, 111 * time.Minute
	for name, c := range map[string]struct {
		steps []time.Duration // after each the session is used
		code  fault.Code
	}{
		"just before it was idle for too long": {[]time.Duration{IdleTime - moment}, ""},
		"idle for too long":                    {[]time.Duration{IdleTime}, fault.Unauthenticated},
		"used in between":                      {[]time.Duration{IdleTime - moment, IdleTime - moment}, ""},
		"used, then idle for too long":         {[]time.Duration{IdleTime - moment, IdleTime}, fault.Unauthenticated},
		"just before it is too old":            {[]time.Duration{used, used, used, used, used, used, AbsoluteTime - 6*used - moment}, ""},
		"too old":                              {[]time.Duration{used, used, used, used, used, used, AbsoluteTime - 6*used}, fault.Unauthenticated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.person("mira")
			cookie := l.login("mira")
			for i, step := range c.steps {
				l.advance(step)
				_, err := l.Session(t.Context(), cookie)
				if i < len(c.steps)-1 {
					want(t, "meanwhile", err, "")
				} else {
					want(t, "then", err, c.code)
				}
			}
		})
	}
}

// Only the digest of a session's secret is kept, and its use is written once a
// minute.
//
// clause: P-47
func TestSessionIsKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.person("mira")
	cookie := l.login("mira")
	var digest []byte
	var text string
	err := l.pool.QueryRow(t.Context(), "SELECT digest, login::text FROM play.login").Scan(&digest, &text)
	if err != nil || !bytes.Equal(digest, secret.Digest(cookie)) || strings.Contains(text, cookie) {
		t.Errorf("%v: kept is %s", err, text)
	}
	for _, c := range []struct{ advance, seen time.Duration }{
		{touchEvery - time.Microsecond, 0}, {time.Microsecond, touchEvery}, {time.Second, touchEvery},
	} {
		l.advance(c.advance)
		if _, err := l.Session(t.Context(), cookie); err != nil {
			t.Fatal(err)
		}
		var seen time.Time
		if err := l.pool.QueryRow(t.Context(), "SELECT seen_at FROM play.login").Scan(&seen); err != nil || !seen.Equal(start.Add(c.seen)) {
			t.Errorf("%v: seen %s after the start, want %s", err, seen.Sub(start), c.seen)
		}
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.person("mira")
	cookie, other := l.login("mira"), l.login("mira")
	for range 2 { // a second time is no harm
		want(t, "logout", l.Logout(t.Context(), cookie), "")
		_, err := l.Session(t.Context(), cookie)
		want(t, "after it", err, fault.Unauthenticated)
	}
	want(t, "of nothing", l.Logout(t.Context(), "x\x00"), "")
	_, err := l.Session(t.Context(), other)
	want(t, "the other session", err, "")
}

// clause: P-07, P-47
func TestDeactivated(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a := l.person("mira")
	l.person("noa")
	cookie, others := l.login("mira"), l.login("noa")
	bearer := l.issue(a)
	if err := l.SetActive(t.Context(), "mira", false); err != nil {
		t.Fatal(err)
	}
	_, err := l.Session(t.Context(), cookie)
	want(t, "its session", err, fault.Unauthenticated)
	_, err = l.Author(t.Context(), bearer)
	want(t, "its token", err, fault.Unauthenticated)
	_, err = l.Session(t.Context(), others)
	want(t, "another's session", err, "")
	if n := l.count("SELECT count(*) FROM play.login WHERE account_id = $1", a.ID); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
	if err := l.SetActive(t.Context(), "mira", true); err != nil {
		t.Fatal(err)
	}
	_, err = l.Session(t.Context(), cookie)
	want(t, "the old session of who is back", err, fault.Unauthenticated)
	_, err = l.Author(t.Context(), bearer)
	want(t, "the old token of who is back", err, fault.Unauthenticated)
	l.login("mira")
	l.issue(a)
}

// TestDeactivatedTokens: with an account go the play tokens of what it leads and
// of what it plays, and no others; nothing is deleted where it is activated.
//
// clause: P-07
func TestDeactivatedTokens(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, username := range []string{"gina", "paul", "sten"} {
		l.person(username)
	}
	_, err := l.pool.Exec(t.Context(), `
		INSERT INTO play.scenario (id, owner_id, title, summary, language, latest, request, created_at, updated_at)
		SELECT id, id, 'x', '', 'en', 1, sha256(''), 'epoch', 'epoch' FROM play.account;
		INSERT INTO play.scenario_version (scenario_id, version, status, revision, created_at)
		SELECT id, 1, 'draft', 1, 'epoch' FROM play.scenario;
		INSERT INTO play.assignment (id, gm_id, player_id, scenario_id, source_version, mode, language, "character", brief,
			instructions, boundaries, return_condition, gm_notes, published_node_ids, auto_approve, request, attempt_id, status,
			version, pending, memory, current_scene, created_at, updated_at)
		SELECT gen_random_uuid(), gm.id, player.id, gm.id, 1, 'solo', 'en', 'x', 'x', '', 'x', 'x', '', '{a}', '{}', sha256(''),
			gen_random_uuid(), 'active', 1, 0, '', 'a', 'epoch', 'epoch'
		FROM play.account AS gm, play.account AS player;
		INSERT INTO play.access_token (assignment_id, digest, created_at, expires_at)
		SELECT id, sha256(id::text::bytea), 'epoch', now() + interval '1 day' FROM play.assignment`)
	if err != nil {
		t.Fatal(err)
	}
	left := func(where string) int {
		t.Helper()
		return l.count(`SELECT count(*) FROM play.access_token AS t JOIN play.assignment AS a ON a.id = t.assignment_id
			JOIN play.account AS gm ON gm.id = a.gm_id JOIN play.account AS player ON player.id = a.player_id ` + where)
	}
	for _, c := range []struct {
		username string
		active   bool
		left     int // of the nine pairs of people
	}{{"paul", true, 9}, {"paul", false, 4}, {"paul", false, 4}, {"paul", true, 4}, {"sten", false, 1}, {"gina", true, 1}} {
		want(t, c.username, l.SetActive(t.Context(), c.username, c.active), "")
		if n := left(""); n != c.left {
			t.Errorf("%s, active %v: %d play tokens, want %d", c.username, c.active, n, c.left)
		}
	}
	if n := left("WHERE gm.username = 'gina' AND player.username = 'gina'"); n != 1 {
		t.Error("the token that is left is of another")
	}
}

// TestTokensMeanwhile: what is made while an account is being deactivated is
// refused or deleted, whichever comes first.
//
// clause: P-07
func TestTokensMeanwhile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a := l.person("mira")
	for range 10 {
		done := make(chan error, 4)
		for range cap(done) {
			go func() {
				_, _, err := l.IssueToken(t.Context(), a.ID, uuid.New(), "x")
				done <- err
			}()
		}
		want(t, "deactivate", l.SetActive(t.Context(), "mira", false), "")
		for range cap(done) {
			if err := <-done; err != nil {
				want(t, "a token meanwhile", err, fault.Unauthenticated)
			}
		}
		if n := l.count("SELECT count(*) FROM play.author_token"); n != 0 {
			t.Fatalf("%d tokens of an account that is not active", n)
		}
		want(t, "activate", l.SetActive(t.Context(), "mira", true), "")
	}
}

// What is of an account that is not active is refused even where it is still
// there.
//
// clause: P-07
func TestInactiveByItself(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a := l.person("mira")
	cookie, bearer := l.login("mira"), l.issue(a)
	if _, err := l.pool.Exec(t.Context(), "UPDATE play.account SET active = false WHERE id = $1", a.ID); err != nil {
		t.Fatal(err)
	}
	_, err := l.Session(t.Context(), cookie)
	want(t, "the session", err, fault.Unauthenticated)
	_, err = l.Author(t.Context(), bearer)
	want(t, "the token", err, fault.Unauthenticated)
}

// clause: P-47
func TestSetPassword(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a := l.person("mira")
	l.person("noa")
	cookie, others, bearer := l.login("mira"), l.login("noa"), l.issue(a)
	if err := l.SetPassword(t.Context(), "mira", "another password"); err != nil {
		t.Fatal(err)
	}
	_, err := l.Session(t.Context(), cookie)
	want(t, "the session", err, fault.Unauthenticated)
	_, err = l.Session(t.Context(), others)
	want(t, "another's session", err, "")
	_, err = l.Author(t.Context(), bearer)
	want(t, "the token", err, "")
	_, _, err = l.Login(t.Context(), "mira", secretWord, "192.0.2.1")
	want(t, "the old password", err, fault.Unauthenticated)
	_, _, err = l.Login(t.Context(), "mira", "another password", "192.0.2.1")
	want(t, "the new password", err, "")
}

func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.person("mira")
	l.person("noa")
	forgotten := l.login("noa")
	l.advance(AbsoluteTime)
	var cookies []string
	for range MaxSessions + 1 {
		cookies = append(cookies, l.login("mira"))
		l.advance(LoginWindow)
	}
	for i, cookie := range cookies {
		_, err := l.Session(t.Context(), cookie)
		if (err != nil) != (i == 0) {
			t.Errorf("session %d: %v", i+1, err)
		}
	}
	if n := l.count("SELECT count(*) FROM play.login WHERE digest = $1", secret.Digest(forgotten)); n != 0 {
		t.Error("a session that is over is kept")
	}
}

// That a use cannot be written down is logged and no reason to refuse it.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a := l.person("mira")
	cookie, bearer := l.login("mira"), l.issue(a)
	l.advance(touchEvery)
	_, err := l.pool.Exec(t.Context(), `
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''full''; END';
		CREATE TRIGGER refuse BEFORE UPDATE ON play.login EXECUTE FUNCTION refuse();
		CREATE TRIGGER refuse BEFORE UPDATE ON play.author_token EXECUTE FUNCTION refuse()`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Session(t.Context(), cookie)
	want(t, "the session", err, "")
	_, err = l.Author(t.Context(), bearer)
	want(t, "the token", err, "")
	if log := l.log.String(); strings.Count(log, "a use was not noted") != 2 || strings.Contains(log, cookie) || strings.Contains(log, bearer) {
		t.Errorf("the log:\n%s", log)
	}
}
