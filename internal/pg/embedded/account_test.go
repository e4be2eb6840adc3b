//go:build unix

package embedded

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestRoot runs a server in both of root's ways, one after the other over the
// same data.
func TestRoot(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("root alone runs a server as somebody else")
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	nobody := account{uid: uid, gid: gid}
	root := account{namespace: true}
	ways := []account{nobody}
	if namespaces() {
		ways = []account{root, nobody, root}
	}
	data := folder(t)
	c, err := clusterIn(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := private(c.Socket, root); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(c.Socket) })
	for i, as := range ways {
		c.as = &as
		if err := c.Init(within(t)); err != nil {
			t.Fatal(err)
		}
		p, err := c.Start(within(t))
		if err != nil {
			t.Fatalf("as %+v: %v", as, err)
		}
		if i == 0 {
			ask(t, c.URL(), "CREATE TABLE kept AS SELECT 1 AS n")
		}
		if got := ask(t, c.URL(), "SELECT n::text FROM kept"); got != "1" {
			t.Errorf("as %+v: got %q, want the row of the first server", as, got)
		}
		p.Stop()
	}
}

func TestReachable(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(folder(t), "closed")
	if err := os.MkdirAll(closed, 0o711); err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(closed, "inner", "database")
	if err := os.MkdirAll(inner, 0o711); err != nil {
		t.Fatal(err)
	}
	if err := reachable(inner); err != nil {
		t.Errorf("a folder that all may reach: %v", err)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := reachable(inner); err == nil || err.Error() != closed {
		t.Errorf("got %v, want %s", err, closed)
	}
}

func TestFind(t *testing.T) {
	// Not parallel: it sets the environment.
	t.Run("names the three ways where there is none", func(t *testing.T) {
		err := missing(0)
		for _, way := range []string{"apt-get install postgresql", "make postgres", binariesVariable, "DATABASE_URL"} {
			if !strings.Contains(err.Error(), way) {
				t.Errorf("%q does not name %s", err, way)
			}
		}
	})
	t.Run("takes the named folder and no other", func(t *testing.T) {
		empty := t.TempDir()
		t.Setenv(binariesVariable, empty)
		if _, err := Find(0); err == nil || !strings.Contains(err.Error(), binariesVariable+"="+empty) {
			t.Errorf("error %v, want one that names the variable", err)
		}
	})
	t.Run("takes programs of the data's version", func(t *testing.T) {
		found, err := Find(0)
		if err != nil {
			t.Fatal(err)
		}
		if found.Major < oldest {
			t.Errorf("found version %d, want %d or newer", found.Major, oldest)
		}
		again, err := Find(found.Major)
		if err != nil || again.Major != found.Major {
			t.Errorf("found %+v, %v for version %d", again, err, found.Major)
		}
		t.Setenv(binariesVariable, found.Folder)
		if _, err := Find(9); err == nil || !strings.Contains(err.Error(), "the data of version 9") {
			t.Errorf("error %v, want one that names the versions", err)
		}
	})
	t.Run("finds what make fetched above the current folder", func(t *testing.T) {
		above := t.TempDir()
		bin := filepath.Join(above, filepath.FromSlash(fetched))
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, script := range map[string]string{"initdb": "", "postgres": "echo 'postgres (PostgreSQL) 99.1'\n"} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		below := filepath.Join(above, "some", "where")
		if err := os.MkdirAll(below, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Chdir(below)
		found, err := Find(0)
		if err != nil || found.Major != 99 {
			t.Errorf("found %+v, %v, want version 99", found, err)
		}
	})
}
