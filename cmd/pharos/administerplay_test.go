package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestAdministerPlay goes through the commands in the order of an operator's
// first day.
//
// clause: P-07, P-47
func TestAdministerPlay(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t, "play")
	deps := newPlayServices(pgtest.Pool(t, url))
	file := configFile(t, fmt.Sprintf(`{"database":{"url":%q}}`, url))
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("correct horse battery staple\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	token := filepath.Join(folder, "token")
	const id = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
	for _, c := range []struct {
		args   string
		stdin  string
		status int
		says   string // a pattern of what is printed
	}{
		{"account add ada", "", 0, `^account: ada\npassword: [A-Z2-7]{26}\n$`},
		{"account add ada", "", 1, `^pharos: .*\n$`},
		{"account add -password - -name Ewa -language pl ewa", "another long sentence\n", 0, `^account: ewa\n$`},
		{"account add -password - bob", "elevenchars", 1, `^pharos: .*12 to 256.*\n$`},
		{"account add -password - bob", "a password\x00with an end", 1, `^pharos: .*control character.*\n$`},
		{"account add -language de bob", "", 2, `-language is en or pl`},
		{"account add", "", 2, `account add needs USER`},
		{"account add Bob!", "", 1, `^pharos: `},
		{"account password -password " + secret + " ada", "", 0, `^$`},
		{"account password ewa", "", 0, `^password: [A-Z2-7]{26}\n$`},
		{"account password nobody", "", 1, `^pharos: `},
		{"account disable ewa", "", 0, `^ewa is disabled\n$`},
		{"account disable nobody", "", 1, `^pharos: `},
		{"account list", "", 0, `^ada +enabled +en +` + today + ` +ada\newa +disabled +pl +` + today + ` +Ewa\n$`},
		{"account enable ewa", "", 0, `^ewa is enabled\n$`},
		{"demo -gm ada -player adam -language pl -token " + token, "", 0,
			`^account: adam\npassword: [A-Z2-7]{26}\nscenario: ` + id + `\nassignment: ` + id + `\nplay token: in .*/token, until .* UTC\n$`},
		{"demo -gm ada -player adam -language pl", "", 0, `^scenario: ` + id + `\nassignment: ` + id + `\n$`},
		{"demo -gm ada -player adam -token " + token, "", 1, `^pharos: open .*/token: file exists\n$`},
		{"demo -language de", "", 2, `-language is en or pl`},
		{"demo now", "", 2, `demo takes nothing behind its flags, not "now"`},
		{"demo -gm eva -player Eve", "", 1, `^pharos: a username has `},
		{"account list all", "", 2, `account list takes nothing behind its flags, not "all"`},
		{"account password eva", "", 1, `^pharos: there is no such account\n$`},
		{"", "", 2, `^pharos: pharos play needs a command\nhint: `},
		{"account", "", 2, `unknown command "account" of pharos play`},
		{"account remove ada", "", 2, `unknown command "account remove" of pharos play`},
		{"-h", "", 0, `^usage: pharos play`},
		{"account add -h", "", 0, `^usage: pharos play account add`},
		{"demo -h", "", 0, `^usage: pharos play demo`},
	} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"play", "-config", file}, strings.Fields(c.args)...)
		status := run(t.Context(), args, strings.NewReader(c.stdin), &stdout, &stderr)
		if printed := stdout.String() + stderr.String(); status != c.status || !regexp.MustCompile(c.says).MatchString(printed) {
			t.Errorf("%s: status %d, %q; want %d, %s", c.args, status, printed, c.status, c.says)
		}
	}
	if _, _, err := deps.Accounts.Login(t.Context(), "ada", "correct horse battery staple", "127.0.0.1"); err != nil {
		t.Errorf("the password of a file: %v", err)
	}
	text, err := os.ReadFile(token)
	if err != nil {
		t.Fatal(err)
	}
	seat, err := deps.Assignments.Seat(t.Context(), strings.TrimSpace(string(text)))
	if err != nil || seat.Language != "pl" {
		t.Errorf("the play token: %+v, %v", seat, err)
	}
	if info, err := os.Stat(token); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the play token: %v, %v", info.Mode(), err)
	}
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"play", "-config", file, "account", "disable", "adam"}, nil, &stdout, &stderr); status != 0 {
		t.Fatal(stderr.String())
	}
	if _, err := deps.Assignments.Seat(t.Context(), strings.TrimSpace(string(text))); fault.CodeOf(err) != fault.Unauthenticated {
		t.Errorf("the play token of a disabled player: %v", err)
	}
}
