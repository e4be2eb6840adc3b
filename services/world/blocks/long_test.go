package blocks

import (
	"bufio"
	"bytes"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "compare with packages of npm, which .ci/world has installed")

// node runs a program of .ci/world.
func node(t *testing.T, stdin string, program string, args ...string) string {
	t.Helper()
	if !*long {
		t.Skip("needs -long")
	}
	found, err := exec.Command("../../../.ci/e2e/install", "-node").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), strings.TrimSpace(string(found)), append([]string{program}, args...)...)
	cmd.Dir = "../../../.ci/world"
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, stderr.String())
	}
	return string(out)
}

// TestTablesAreMade makes the tables again and finds the committed ones.
func TestTablesAreMade(t *testing.T) {
	t.Parallel()
	made := t.TempDir()
	node(t, "", "tables.mjs", made)
	count := 0
	err := filepath.WalkDir(made, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(made, path)
		if err != nil {
			return err
		}
		count++
		got, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		committed, err := tables.ReadFile("data/" + filepath.ToSlash(name))
		if err != nil || !bytes.Equal(got, committed) {
			t.Errorf("%s is not what tables.mjs makes (%v)", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count != len(Versions()) {
		t.Errorf("%d tables of %d versions", count, len(Versions()))
	}
}

// TestRotateAgrees turns every state as nucleation does. What nucleation leaves
// as it is, or turns otherwise than the game, is not compared: the shape of rails
// and of stairs, the orientation of jigsaws, and the record in a jukebox.
//
// clause: W-32
func TestRotateAgrees(t *testing.T) {
	t.Parallel()
	p := pack(t, "1.20.2")
	lines := bufio.NewScanner(strings.NewReader(node(t, strings.Join(p.states, "\n")+"\n", "rotate.mjs")))
	compared := 0
	for _, state := range p.states {
		if !lines.Scan() {
			t.Fatalf("nothing comes for %s", state)
		}
		turns := strings.Split(lines.Text(), "\t")
		if len(turns) != 3 {
			t.Fatalf("%s: %q", state, lines.Text())
		}
		for i, theirs := range turns {
			want, err := p.Exact(theirs)
			if err != nil {
				t.Fatalf("%s: %v", state, err)
			}
			ours := Rotate(state, i+1)
			for _, property := range []string{"shape", "orientation", "has_record"} {
				want = set(want, property, Get(ours, property))
			}
			if ours != want {
				t.Errorf("%s turned by %d is %s, nucleation has %s", state, 90*(i+1), ours, want)
			}
			compared++
		}
	}
	t.Logf("%d turns compared", compared)
	if lines.Scan() {
		t.Errorf("more comes: %s", lines.Text())
	}
}

// set changes a property that the state has.
func set(state, property, value string) string {
	name, properties := Split(state)
	for i := range properties {
		if properties[i].Name == property {
			properties[i].Value = value
		}
	}
	return Join(name, properties)
}
