package account

import (
	"bytes"
	"strings"
	"testing"
	"time"

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
	got, err := l.Author(t.Context(), bearer)
	want(t, "the token of who is back", err, "")
	if got != a {
		t.Errorf("got %+v, want %+v", got, a)
	}
	l.login("mira")
}

// A session whose account is not active is refused even where it is still there.
//
// clause: P-07
func TestInactiveByItself(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a := l.person("mira")
	cookie := l.login("mira")
	if _, err := l.pool.Exec(t.Context(), "UPDATE play.account SET active = false WHERE id = $1", a.ID); err != nil {
		t.Fatal(err)
	}
	_, err := l.Session(t.Context(), cookie)
	want(t, "the session", err, fault.Unauthenticated)
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
