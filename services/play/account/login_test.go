package account

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// Whatever is wrong, the answer is one and so is the work: every attempt that is
// let in hashes exactly one password.
//
// clause: P-47
func TestLoginTellsNothing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.person("mira")
	l.person("gone")
	if err := l.SetActive(t.Context(), "gone", false); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for name, c := range map[string]struct {
		username, password string
		code               fault.Code
	}{
		"right":                    {"mira", secretWord, ""},
		"a wrong password":         {"mira", secretWord + "!", fault.Unauthenticated},
		"no password":              {"mira", "", fault.Unauthenticated},
		"what is no text":          {"mira", "\xff\x00", fault.Unauthenticated},
		"nobody":                   {"nobody", secretWord, fault.Unauthenticated},
		"what is no username":      {"No\x00body\xff", secretWord, fault.Unauthenticated},
		"no username":              {"", "", fault.Unauthenticated},
		"inactive":                 {"gone", secretWord, fault.Unauthenticated},
		"inactive and wrong":       {"gone", "x", fault.Unauthenticated},
		"the longest password":     {"mira", strings.Repeat("x", 256), fault.Unauthenticated},
		"nobody and the longest":   {"nobody", strings.Repeat("x", 256), fault.Unauthenticated},
		"a username in capitals":   {"MIRA", secretWord, fault.Unauthenticated},
		"another person's account": {"gone", secretWord, fault.Unauthenticated},
	} {
		before := l.passwords.Done()
		cookie, a, err := l.Login(t.Context(), c.username, c.password, "192.0.2.1")
		want(t, name, err, c.code)
		if hashed := l.passwords.Done() - before; hashed != 1 {
			t.Errorf("%s: %d passwords hashed, want 1", name, hashed)
		}
		if err != nil {
			texts = append(texts, err.Error())
			if cookie != "" || a != (Account{}) {
				t.Errorf("%s: got %q and %+v with an error", name, cookie, a)
			}
		}
	}
	for _, text := range texts {
		if text != errLogin.Message {
			t.Errorf("one is told %q, want %q", text, errLogin.Message)
		}
	}
	// Too long for any password: no work, for nobody and somebody alike.
	for _, username := range []string{"mira", "nobody"} {
		before := l.passwords.Done()
		_, _, err := l.Login(t.Context(), username, strings.Repeat("x", 257), "192.0.2.1")
		want(t, "too long for "+username, err, fault.Unauthenticated)
		if hashed := l.passwords.Done() - before; hashed != 0 {
			t.Errorf("too long for %s: %d passwords hashed, want none", username, hashed)
		}
	}
}

// clause: P-47
func TestLoginRotates(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	mira := l.person("mira")
	l.person("noa")
	first, elsewhere, other := l.login("mira"), l.login("mira"), l.login("noa")
	second := l.login("mira", "", "pharos_login_x", first, other)
	if second == first || second == elsewhere {
		t.Error("a secret comes twice")
	}
	for name, c := range map[string]struct {
		cookie string
		code   fault.Code
		who    Account
	}{
		"the new one":                    {second, "", mira},
		"that of another browser":        {elsewhere, "", mira},
		"that before it":                 {first, fault.Unauthenticated, Account{}},
		"the other account's in the jar": {other, fault.Unauthenticated, Account{}},
		"none":                           {"", fault.Unauthenticated, Account{}},
		"a made up one":                  {cookieForm.New(), fault.Unauthenticated, Account{}},
	} {
		got, err := l.Session(t.Context(), c.cookie)
		want(t, name, err, c.code)
		if diff := cmp.Diff(c.who, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	// A login that fails ends nothing.
	if _, _, err := l.Login(t.Context(), "noa", "wrong", "192.0.2.1", second); err == nil {
		t.Error("a wrong password logs in")
	}
	if _, err := l.Session(t.Context(), second); err != nil {
		t.Errorf("after a login that failed: %v", err)
	}
}

// A password or standing that changes while a login is on its way begins nothing:
// the login waits for the row, and sees what it became.
//
// clause: P-07, P-47
func TestLoginAfterChange(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	other, err := l.passwords.Hash(t.Context(), "another password")
	if err != nil {
		t.Fatal(err)
	}
	for username, change := range map[string]string{
		"mira": "UPDATE play.account SET password = $2 WHERE id = $1",
		"noa":  "UPDATE play.account SET active = $2 = '' WHERE id = $1",
	} {
		a := l.person(username)
		tx, err := l.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), change, a.ID, other); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, _, err := l.Login(t.Context(), username, secretWord, "192.0.2.1")
			done <- err
		}()
		l.untilWaiting()
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, username, <-done, fault.Unauthenticated)
		if n := l.count("SELECT count(*) FROM play.login"); n != 0 {
			t.Errorf("%s: %d sessions, want none", username, n)
		}
	}
}
