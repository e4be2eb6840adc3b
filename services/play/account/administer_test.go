package account

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// clause: P-47
func TestCreate(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	good := NewAccount{Username: "mira", DisplayName: "Mira Łoś", Language: "pl", Password: secretWord}
	made, err := l.Create(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	wanted := Account{ID: made.ID, Username: "mira", DisplayName: "Mira Łoś", Language: "pl", Active: true, CreatedAt: start}
	for how, find := range map[string]func() (Account, error){
		"made":        func() (Account, error) { return made, nil },
		"by username": func() (Account, error) { return l.ByUsername(t.Context(), "mira") },
	} {
		got, err := find()
		if diff := cmp.Diff(wanted, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", how, err, diff)
		}
	}
	var stored string
	err = l.pool.QueryRow(t.Context(), "SELECT password FROM play.account WHERE username = 'mira'").Scan(&stored)
	if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("%v, stored is %q", err, stored)
	}

	other := good
	other.DisplayName, other.Password = "Somebody else", "another password"
	_, err = l.Create(t.Context(), other)
	want(t, "a username that is taken", err, fault.Exists)
	if got, err := l.ByUsername(t.Context(), "mira"); err != nil || !cmp.Equal(got, wanted) {
		t.Errorf("after it: %v, %+v", err, got)
	}
	l.login("mira")

	for name, find := range map[string]func() error{
		"no such username": func() error { _, err := l.ByUsername(t.Context(), "nobody"); return err },
		"not a username":   func() error { _, err := l.ByUsername(t.Context(), "No\x00body"); return err },
		"its password":     func() error { return l.SetPassword(t.Context(), "nobody", secretWord) },
		"its standing":     func() error { return l.SetActive(t.Context(), "nobody", false) },
		"its language":     func() error { return l.SetLanguage(t.Context(), uuid.New(), "pl") },
	} {
		want(t, name, find(), fault.NotFound)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	good := NewAccount{Username: "ab", DisplayName: "x", Language: "en", Password: strings.Repeat("ż", 12)}
	for name, c := range map[string]struct {
		change func(*NewAccount)
		code   fault.Code
	}{
		"a username of 1":               {func(n *NewAccount) { n.Username = "a" }, fault.Unprocessable},
		"a username of 2":               {func(n *NewAccount) { n.Username = "a-" }, ""},
		"a username of 64":              {func(n *NewAccount) { n.Username = "b" + strings.Repeat("_", 63) }, ""},
		"a username of 65":              {func(n *NewAccount) { n.Username = "b" + strings.Repeat("_", 64) }, fault.Unprocessable},
		"a username with a capital":     {func(n *NewAccount) { n.Username = "aB" }, fault.Unprocessable},
		"a username with a digit first": {func(n *NewAccount) { n.Username = "1b" }, fault.Unprocessable},
		"a username with a line":        {func(n *NewAccount) { n.Username = "ab\n" }, fault.Unprocessable},
		"no display name":               {func(n *NewAccount) { n.DisplayName = "" }, fault.Unprocessable},
		"a blank display name":          {func(n *NewAccount) { n.DisplayName = " " }, fault.Unprocessable},
		"a display name of 100":         {func(n *NewAccount) { n.Username, n.DisplayName = "c1", strings.Repeat("🜁", 100) }, ""},
		"a display name of 101":         {func(n *NewAccount) { n.DisplayName = strings.Repeat("🜁", 101) }, fault.Unprocessable},
		"a display name of two lines":   {func(n *NewAccount) { n.DisplayName = "a\nb" }, fault.Unprocessable},
		"a display name with U+0000":    {func(n *NewAccount) { n.DisplayName = "a\x00b" }, fault.Invalid},
		"German":                        {func(n *NewAccount) { n.Language = "de" }, fault.Unprocessable},
		"Polish":                        {func(n *NewAccount) { n.Username, n.Language = "c2", "pl" }, ""},
		"no language":                   {func(n *NewAccount) { n.Language = "" }, fault.Unprocessable},
		"a password of 11":              {func(n *NewAccount) { n.Password = strings.Repeat("ż", 11) }, fault.Invalid},
		"a password of 12":              {func(n *NewAccount) { n.Username = "c3" }, ""},
		"a password of 256":             {func(n *NewAccount) { n.Username, n.Password = "c4", strings.Repeat("ż", 256) }, ""},
		"a password of 257":             {func(n *NewAccount) { n.Password = strings.Repeat("ż", 257) }, fault.Invalid},
	} {
		n := good
		c.change(&n)
		_, err := l.Create(t.Context(), n)
		want(t, name, err, c.code)
	}
	want(t, "a short password", l.SetPassword(t.Context(), "c4", "short"), fault.Invalid)
}

func TestListAndLanguage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, username := range []string{"zed", "abe", "mia"} {
		l.person(username)
	}
	mia, err := l.ByUsername(t.Context(), "mia")
	if err != nil {
		t.Fatal(err)
	}
	want(t, "to Polish", l.SetLanguage(t.Context(), mia.ID, "pl"), "")
	want(t, "to German", l.SetLanguage(t.Context(), mia.ID, "de"), fault.Unprocessable)
	want(t, "zed goes", l.SetActive(t.Context(), "zed", false), "")
	all, err := l.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range all {
		got = append(got, strings.Join([]string{a.Username, a.Language, map[bool]string{true: "active"}[a.Active]}, " "))
	}
	if diff := cmp.Diff([]string{"abe en active", "mia pl active", "zed en "}, got); diff != "" {
		t.Error(diff)
	}
}
