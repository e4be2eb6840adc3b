package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// administered runs `pharos platform` in a database.
func administered(t *testing.T, file, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	args = append([]string{"platform", "-config", file}, args...)
	status = run(t.Context(), args, strings.NewReader(stdin), &out, &err)
	return status, out.String(), err.String()
}

func TestAdminister(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t, "platform")
	pool := pgtest.Pool(t, url)
	file := configFile(t, `{"database":{"url":`+strconv.Quote(url)+`}}`)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) string {
		t.Helper()
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	secret := write("secret", "correct horse battery staple\n")
	policy := write("policy", "Research only.\n")
	for _, c := range []struct {
		args   string
		stdin  string
		status int
		says   string // a pattern of what is printed
	}{
		{"user add ada", "", 0, `^user: ada\nparty: [0-9a-f-]{36}\npassword: [A-Z2-7]{26}\n$`},
		{"user add ada", "", 1, `^pharos: the username is taken\n$`},
		{"user add -password " + secret + " -operator -token " + at("token") + " -name Eve -email eve@example.org eve", "", 0,
			`^user: eve\nparty: [0-9a-f-]{36}\ntoken: in .*/token\n$`},
		{"user add -token " + at("token") + " zoe", "", 1, `^pharos: open .*/token: file exists\n$`},
		{"user add -password - -unregistered zoe", "another long sentence\r\n", 0, `^user: zoe\n$`},
		{"user add -password - bob", "", 1, `^pharos: the password must be one line\n$`},
		{"user add -password - bob", "two\nlines", 1, `^pharos: the password must be one line\n$`},
		{"user add -password - bob", "elevenchars", 1, `^pharos: a password has 12 to 256 characters\n$`},
		{"user add -password " + at("gone") + " bob", "", 1, `^pharos: open .*/gone: no such file or directory\n$`},
		{"user add -token " + at("none") + " Bob", "", 1, `^pharos: a username has 2 to 64 characters`},
		{"user add -email bob bob", "", 1, `^pharos: email must be an address`},
		{"user add -unregistered -operator bob", "", 2, `^pharos: -unregistered leaves no place`},
		{"user add -temporary -token " + at("none") + " bob", "", 2, `^pharos: -token is of no use with -temporary`},
		{"user add -token-days 0 bob", "", 2, `^pharos: -token-days is from 1 to 366\nhint: `},
		{"user add -token-days 367 bob", "", 2, `^pharos: -token-days is from 1 to 366\nhint: `},
		{"user add", "", 2, `^pharos: user add needs USER\nhint: `},
		{"user add a b", "", 2, `^pharos: user add needs USER\nhint: `},
		{"user add -x bob", "", 2, `^pharos: flag provided but not defined: -x\nhint: `},
		{"user add -h", "", 0, `^usage: pharos platform user add`},
		{"-h", "", 0, `^usage: pharos platform \[-config FILE\] COMMAND`},
		{"user", "", 2, `^pharos: unknown command "user" of pharos platform\nhint: `},
		{"user remove ada", "", 2, `^pharos: unknown command "user remove" of pharos platform\nhint: `},
		{"operator enrol ada", "", 0, `^ada is an operator\n$`},
		{"operator enrol ada", "", 0, `^ada is an operator already\n$`},
		{"operator enrol zoe", "", 1, `^pharos: there is no such user, or they have not registered\n$`},
		{"operator withdraw ada", "", 0, `^ada is no operator any more\n$`},
		{"aup accept ada", "", 0, `^ada is bound to it already, or there is none\n$`},
		{"aup publish -effective tomorrow " + policy, "", 2, `^pharos: -effective is a time like`},
		{"aup publish " + at("none"), "", 1, `^pharos: open .*/none: no such file or directory\n$`},
		{"aup publish -title Rules -effective 2026-01-31T00:00:00+01:00 " + policy, "", 0, `^version 1 takes effect at 2026-01-30T23:00:00Z\n$`},
		{"aup publish -effective 2026-01-30T23:00:00Z " + policy, "", 1, `^pharos: version 1 takes effect later or at the same time\n$`},
		{"aup accept ada", "", 0, `^ada is bound to the policy in effect\n$`},
		{"aup accept ada", "", 0, `^ada is bound to it already, or there is none\n$`},
		{"aup withdraw ada", "", 0, `^ada is bound to no policy any more\n$`},
		{"aup withdraw ada", "", 0, `^ada is bound to none\n$`},
		{"identity bind ada https://login.example 4711 ada@example.org", "", 0, `^$`},
		{"identity bind eve https://login.example 4711 ada@example.org", "", 1, `^pharos: the identity belongs to another user\n$`},
		{"identity bind ada https://login.example 4711", "", 2, `^pharos: identity bind needs USER, ISSUER, SUBJECT, VOPERSON_ID\n`},
		{"identity unbind https://login.example 4711 ada@example.org", "", 0, `^$`},
		{"identity unbind https://login.example 4712 ada@example.org", "", 1, `^pharos: nobody has that identity\n$`},
		{"user password ada", "", 0, `^password: [A-Z2-7]{26}\n$`},
		{"user password -password " + secret + " ada", "", 0, `^$`},
		{"user password zoe", "", 0, `^password: `},
		{"user password bob", "", 1, `^pharos: there is no such user with a password\n$`},
		{"user deactivate ada", "", 0, `^ada is deactivated\n$`},
		{"user deactivate ada", "", 0, `^ada is deactivated already\n$`},
		{"user activate ada", "", 0, `^ada is active\n$`},
		{"user activate ada", "", 0, `^ada is active already\n$`},
		{"user add -accept-aup -temporary tom", "", 0, `^user: tom\nparty: `},
	} {
		status, stdout, stderr := administered(t, file, c.stdin, strings.Fields(c.args)...)
		if text := stdout + stderr; status != c.status || !regexp.MustCompile(c.says).MatchString(text) {
			t.Errorf("%s: exit status %d and %q\nwant %d and %s", c.args, status, text, c.status, c.says)
		}
		if status != 0 && stdout != "" {
			t.Errorf("%s: failed, and printed %q", c.args, stdout)
		}
	}
	if _, err := os.Stat(at("none")); err == nil {
		t.Error("a user who was not added has a file for a token")
	}
	// The token of the operator is good for all scopes, and only the owner reads it.
	info, err := os.Stat(at("token"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	var scopes int
	if err := pool.QueryRow(t.Context(), "SELECT cardinality(scopes) FROM platform.access_token").Scan(&scopes); err != nil || scopes != 14 {
		t.Errorf("the token has %d scopes (%v), want 14", scopes, err)
	}
	parties := party.New(party.Config{Pool: pool})
	for username, want := range map[string]access.Standing{
		"ada": access.SetupPending, "eve": access.AUPRequired, "zoe": access.Unregistered, "tom": access.SetupPending,
	} {
		_, err := parties.Resolve(t.Context(), party.Identity{Issuer: party.PasswordIssuer, Subject: username, VopersonID: username})
		if unready, ok := err.(*party.Unready); !ok || unready.Standing != want {
			t.Errorf("%s: %v, want %s", username, err, want)
		}
	}
}

// The commands reach the private server whether a server runs or not, and end
// with it as it was.
func TestAdministerPrivateServer(t *testing.T) {
	t.Parallel()
	file := configFile(t, `{"edge":{"listen":"127.0.0.1:0"},"play":{"listen":"127.0.0.1:0"},"simulator":{"listen":"127.0.0.1:0"},
		"world":{"listen":"127.0.0.1:0","java":"","live":""},"world_mcp":{"listen":"127.0.0.1:0"},
		"platform":{"listen":"127.0.0.1:0","private_listen":"127.0.0.1:0"},"database":{"state":"postgres"}}`)
	add := func(username string) {
		t.Helper()
		if status, stdout, stderr := administered(t, file, "", "user", "add", username); status != 0 {
			t.Errorf("user add %s: %d %s%s", username, status, stdout, stderr)
		}
	}
	add("ada")
	stop := serveInBackground(t, file)
	add("eve")
	stop()
	add("zoe")
	// The development user goes along with a policy.
	policy := configFile(t, "Research only.")
	if status, _, stderr := administered(t, file, "", "aup", "publish", policy); status != 0 {
		t.Error(stderr)
	}
	serveInBackground(t, file)()
	if status, _, stderr := administered(t, file, "", "user", "add", "eve"); status != 1 || !strings.Contains(stderr, "taken") {
		t.Errorf("eve again: %d %s", status, stderr)
	}
}

// serveInBackground runs `pharos serve` until stop is called, and returns when
// its configuration has been printed.
func serveInBackground(t *testing.T, file string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	reader, stdout := io.Pipe()
	status := make(chan int, 1)
	go func() { status <- run(ctx, []string{"serve", "-config", file}, nil, stdout, io.Discard) }()
	scanner := bufio.NewScanner(reader)
	for scanner.Scan() && scanner.Text() != "}" {
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	return sync.OnceFunc(func() {
		cancel()
		if got := <-status; got != 0 {
			t.Errorf("exit status %d, want 0", got)
		}
	})
}
