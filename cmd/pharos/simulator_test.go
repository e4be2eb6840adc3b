package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSimulatorTimes are bounded on both sides.
//
// clause: S-04
func TestSimulatorTimes(t *testing.T) {
	t.Parallel()
	for _, member := range []string{"idle", "grace"} {
		for value, want := range map[string][]string{
			"1ms": nil, "24h": nil, "0s": nil,
			"999us":  {"simulator." + member + ": 999µs is not from 1ms to 24h0m0s"},
			"24h1ms": {"simulator." + member + ": 24h0m0.001s is not from 1ms to 24h0m0s"},
		} {
			file := configFile(t, `{"simulator":{"`+member+`":"`+value+`"}}`)
			if diff := cmp.Diff(want, checked(t, file, "simulator")); diff != "" {
				t.Errorf("%s %s: %s", member, value, diff)
			}
		}
	}
}

// TestSimulatorRuns are where the configuration says, or beside the database
// that would be made.
//
// clause: S-30
func TestSimulatorRuns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"simulator":{"runs":"logs"}}`:                              "logs",
		`{"simulator":{"runs":"/srv/logs"}}`:                         "/srv/logs",
		`{"database":{"state":"state/postgres"}}`:                    "state/simulator/runs",
		`{"database":{"state":"/srv/pg","url":"postgres://db/one"}}`: "/srv/simulator/runs",
	} {
		file := configFile(t, text)
		c, err := loadConfig(file)
		if err != nil {
			t.Fatal(err)
		}
		if !filepath.IsAbs(want) {
			want = filepath.Join(filepath.Dir(file), want)
		}
		if got, err := c.runs(); err != nil || got != want {
			t.Errorf("%s: runs in %s, %v, want %s", text, got, err, want)
		}
	}
}

// TestSimulatorDatabase: alone it has none but one that is named.
//
// clause: S-30
func TestSimulatorDatabase(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	for _, c := range []struct {
		url      string
		services []string
		want     []string
	}{
		{"", []string{"simulator"}, nil},
		{"", []string{"edge", "devidp", "simulator"}, nil},
		{"postgres://db/one", []string{"simulator"}, []string{"simulator"}},
		{"", []string{"play", "simulator"}, []string{"play", "simulator"}},
		{"postgres://db/one", []string{"play"}, []string{"play"}},
	} {
		a := assembly{config: config{Database: databaseConfig{URL: c.url}}, names: c.services}
		if diff := cmp.Diff(c.want, a.owners()); diff != "" {
			t.Errorf("%v with %q: %s", c.services, c.url, diff)
		}
	}
}

func TestSimRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"help":            {[]string{"sim", "-h"}, 0, "usage: pharos sim"},
		"no command":      {[]string{"sim"}, 2, `pharos: unknown command "" of pharos sim`},
		"another command": {[]string{"sim", "play"}, 2, `pharos: unknown command "play" of pharos sim`},
		"too much":        {[]string{"sim", "index", "x"}, 2, `pharos: sim index takes nothing behind its flags, not "x"`},
		"unknown flag":    {[]string{"sim", "index", "-x"}, 2, "pharos: flag provided but not defined: -x"},
		"no file":         {[]string{"sim", "-config", "nowhere.json", "index"}, 1, "pharos: open nowhere.json"},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), c.args, nil, &stdout, &stderr); got != c.status || !strings.HasPrefix(stdout.String()+stderr.String(), c.says) {
			t.Errorf("%s: status %d, %s%s", name, got, stdout.String(), stderr.String())
		}
	}
}
