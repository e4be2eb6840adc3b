package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/token"
)

// TestKeygen makes a pair that belongs together, for its owner's eyes alone.
//
// clause: E-25
func TestKeygen(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	private, public := filepath.Join(folder, "gateway.json"), filepath.Join(folder, "gateway-keys.json")
	var stdout, stderr bytes.Buffer
	if got := run(t.Context(), []string{"keygen", "-private", private, "-public", public}, nil, &stdout, &stderr); got != 0 {
		t.Fatalf("exit status %d: %s", got, stderr.String())
	}
	if want := "private key: " + private + "\npublic key, to be enrolled: " + public + "\n"; stdout.String() != want {
		t.Errorf("it printed %q, want %q", stdout.String(), want)
	}
	for _, file := range []string{private, public} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("%s has the mode %o, want 600", file, got)
		}
	}
	signer, err := readSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	enrolled, err := readKeys(public)
	if err != nil {
		t.Fatal(err)
	}
	if token.Disjoint(enrolled, signer.Keys()) == nil {
		t.Error("the enrolled key is another")
	}
	if _, err := readKeys(private); err == nil {
		t.Error("the private key can be enrolled")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

// TestKeygenRefuses what would write over a file, or leave half a key.
func TestKeygenRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := os.WriteFile(at("there"), []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at("nowhere"), at("link")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"the private file is there": {[]string{"-private", at("there"), "-public", at("new")}, 1, "is there already; a key is never written over"},
		"the public file is there":  {[]string{"-private", at("new"), "-public", at("there")}, 1, "is there already; a key is never written over"},
		"a link is there":           {[]string{"-private", at("link"), "-public", at("new")}, 1, "is there already"},
		"no such folder":            {[]string{"-private", at("new"), "-public", at("none/new")}, 1, "no such file"},
		"one file for both":         {[]string{"-private", at("new"), "-public", at("new")}, 2, "keygen needs -private FILE and -public FILE"},
		"one file":                  {[]string{"-private", at("new")}, 2, "keygen needs"},
		"nothing":                   {nil, 2, "keygen needs"},
		"a third file":              {[]string{"-private", at("new"), "-public", at("new2"), "x"}, 2, "keygen needs"},
		"an unknown flag":           {[]string{"-force"}, 2, "flag provided but not defined: -force"},
		"help":                      {[]string{"-h"}, 0, ""},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), append([]string{"keygen"}, c.args...), nil, &stdout, &stderr); got != c.status {
			t.Errorf("%s: exit status %d, want %d", name, got, c.status)
		}
		if !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%s: it says %q, want %q", name, stderr.String(), c.says)
		}
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
	if text, err := os.ReadFile(at("there")); string(text) != "precious" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
