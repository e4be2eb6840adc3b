//go:build unix

package main

import (
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args   []string
		status int
		want   string // in either output
	}{
		"says where the programs are": {nil, 0, "/"},
		"refuses half a command":      {[]string{"X"}, 2, "usage: scratch"},
		"gives the command a server":  {[]string{"X", "sh", "-c", `echo "$X"`}, 0, "postgres:///postgres?host="},
		"ends as the command does":    {[]string{"X", "sh", "-c", "exit 7"}, 7, ""},
		"says what cannot be run":     {[]string{"X", "/not/there"}, 1, "scratch: fork/exec /not/there"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr strings.Builder
			if got := run(t.Context(), test.args, &stdout, &stderr); got != test.status {
				t.Errorf("status %d, want %d: %s", got, test.status, stderr.String())
			}
			if got := stdout.String() + stderr.String(); !strings.Contains(got, test.want) {
				t.Errorf("output %q, want one with %q", got, test.want)
			}
		})
	}
}
