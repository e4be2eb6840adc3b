package schem_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

var long = flag.Bool("long", false, "have other people's code read what is written; .ci/world/package.json names it")

// othersRead has the schematics read by a script of .ci/world, which prints a
// line each.
func othersRead[T any](t *testing.T, script string, all ...*schem.Schematic) []T {
	t.Helper()
	args := []string{filepath.Join("..", "..", "..", ".ci", "world", script)}
	for i, s := range all {
		data, err := schem.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), fmt.Sprintf("%d.schem", i))
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	node := exec.CommandContext(t.Context(), "node", args...)
	node.Stderr = os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%s: %v (are its packages there? npm ci in .ci/world)", script, err)
	}
	var answers []T
	for line := range bytes.Lines(out) {
		var answer T
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatalf("%s printed %q: %v", script, line, err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != len(all) {
		t.Fatalf("%s: %d answers to %d files", script, len(answers), len(all))
	}
	return answers
}

// clause: W-31
func TestPrismarineReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("needs -long")
	}
	type answer struct {
		Version string
		Size    [3]int
		Offset  [3]int32
		IDs     []int32
	}
	small := made(t, 2, 3, 1, geom.Pos{X: -5, Y: 6, Z: -7}, turning()[:6]...)
	var states []string
	for _, state := range allowed(t, 2700) {
		if !strings.Contains(state, "distance=") { // it takes the first value of every number to be 0
			states = append(states, state)
		}
	}
	large := made(t, 10, 10, 25, geom.Pos{X: 1}, states[:2500]...)
	got := othersRead[answer](t, "prismarine-schematic.mjs", small, large)
	for i, s := range []*schem.Schematic{small, large} {
		want := answer{"1.20.2", [3]int{s.Width, s.Height, s.Length}, [3]int32{s.Offset.X, s.Offset.Y, s.Offset.Z}, nil}
		for _, state := range shapeOf(s).States {
			id, ok := pack(t).ID(state)
			if !ok {
				t.Fatalf("%s has no id", state)
			}
			want.IDs = append(want.IDs, id)
		}
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Errorf("it reads something else (-written +read):\n%s", diff)
		}
	}
}
