package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	t.Parallel()
	lib := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/lib\n\ngo 1.26\n", "lib.go": "package lib\n",
	} {
		if err := os.WriteFile(filepath.Join(lib, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", lib).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	elsewhere := t.TempDir()
	for _, test := range []struct {
		command []string
		code    int
		want    string
	}{
		{[]string{"go", "list", "-m", "-f", "{{.Path}}", "example.org/lib@latest"}, 0, "example.org/lib\n"},
		{[]string{"sh", "-c", "exit 7"}, 7, ""},
		{[]string{"/nowhere/at/all"}, 1, "no such file"},
		{nil, 2, "usage"},
	} {
		var out bytes.Buffer
		code := run(t.Context(), lib, append([]string{"-C", elsewhere}, test.command...), &out, &out)
		if code != test.code || !strings.Contains(out.String(), test.want) {
			t.Errorf("%v: exit code %d, output %q; want %d and %q", test.command, code, out.String(), test.code, test.want)
		}
	}
}
