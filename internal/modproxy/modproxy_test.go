package modproxy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpen builds a program against a library that exists only in the proxy.
func TestOpen(t *testing.T) {
	t.Parallel()
	lib := t.TempDir()
	put(t, lib, map[string]string{
		"go.mod":     "module example.org/Lib\n\ngo 1.26\n",
		"lib.go":     "package lib\n\nconst Answer = 42\n",
		"ignored.go": "package broken(\n",
		".gitignore": "ignored.go\n",
		"sub/sub.go": "package sub\n\nconst Answer = 43\n",
	})
	if out, err := exec.Command("git", "init", "-q", lib).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	proxy, err := Open(lib)
	if err != nil {
		t.Fatal(err)
	}
	m := proxy.Module
	again, err := Open(lib)
	if err != nil || again.Module != m {
		t.Errorf("opened again: %v, %v, want %v", again, err, m)
	}
	user := t.TempDir()
	put(t, user, map[string]string{
		"go.mod": "module example.org/user\n\ngo 1.26\n\nrequire " + m.Path + " " + m.Version + "\n",
		"main.go": "package main\n\nimport (\n\t\"example.org/Lib\"\n\t\"example.org/Lib/sub\"\n)\n\n" +
			"func main() { println(lib.Answer + sub.Answer) }\n",
	})
	cache := t.TempDir()
	run := exec.Command("go", "run", ".")
	run.Dir = user
	run.Env = append(os.Environ(), append(proxy.Env, "GOFLAGS=-mod=mod -modcacherw", "GOMODCACHE="+cache)...)
	out, err := run.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "85\n") {
		t.Errorf("go run: %v\n%s", err, out)
	}

	put(t, lib, map[string]string{"lib.go": "package lib\n\nconst Answer = 41\n"})
	changed, err := Open(lib)
	if err != nil || changed.Module.Version == m.Version {
		t.Errorf("after a change: %v, %v, want another version than %s", changed, err, m.Version)
	}

	proxy.modules = cache
	for _, p := range []*Proxy{proxy, again, changed} {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	left, err := filepath.Glob(filepath.Join(cache, "example.org", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("closing left %v in the module cache", left)
	}
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
