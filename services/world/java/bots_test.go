package java_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/java"
)

var long = flag.Bool("long", false, "have clients of other people play; .ci/world/package.json names them")

// bots are what two clients of mineflayer saw.
type bots struct {
	Terrain, Placed, Broken, Denied []string
	Answers                         [][]string
}

// play lets the bots in.
func play(t *testing.T, world java.World, act string) (saw bots) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := serve(t, world, l, java.Config{}, java.Options{
		May: func(_ context.Context, _ uuid.UUID, _ java.Action, at geom.Pos) error {
			if at.X >= 20 {
				return errors.New("it is not yours")
			}
			return nil
		},
		Ask: func(_ context.Context, p host.Player, words string) string {
			return "You asked, " + p.Name + ": " + words
		},
	})
	defer s.stop()
	found, err := exec.CommandContext(t.Context(), "../../../.ci/e2e/install", "-node").Output()
	must(t, err)
	_, port, err := net.SplitHostPort(s.address)
	must(t, err)
	node := exec.CommandContext(t.Context(), strings.TrimSpace(string(found)), "bots.mjs", port, act)
	node.Dir = "../../../.ci/world"
	var stderr strings.Builder
	node.Stderr = &stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("bots.mjs %s: %v\n%s", act, err, stderr.String())
	}
	must(t, json.Unmarshal(out, &saw))
	return saw
}

// before is what the bots see in a new world, after what they find in it again.
var (
	terrain = []string{"bedrock", "dirt", "grass_block[snowy=false]", "air"}
	stairs  = "oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]"
	after   = bots{Terrain: terrain, Placed: []string{stairs, stairs}, Broken: []string{"air", "air"}}
	before  = bots{
		Terrain: after.Terrain, Placed: after.Placed, Broken: after.Broken,
		Denied:  []string{terrain[2], terrain[2], "You cannot break that: it is not yours."},
		Answers: [][]string{{"You asked, alice: build a house"}, {}},
	}
)

// TestBots: clients that we did not write come in, see the terrain and each
// other, place and break and are refused, and talk.
func TestBots(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("needs -long")
	}
	if d := cmp.Diff(before, play(t, memory.New(memory.Config{Pack: pack(t)}), "before")); d != "" {
		t.Errorf("in memory (-want +got):\n%s", d)
	}
}

// TestBotsComeAgain: what they built is in the world's files.
func TestBotsComeAgain(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("needs -long")
	}
	folder := t.TempDir()
	files, err := disk.In(folder)
	must(t, err)
	t.Cleanup(func() { files.Close() })
	for act, want := range []bots{before, after} {
		world, err := anvil.Open(anvil.Config{Files: files, Folder: folder, Pack: pack(t), Create: &anvil.Flat{Chunks: 8}})
		must(t, err)
		if d := cmp.Diff(want, play(t, world, []string{"before", "after"}[act])); d != "" {
			t.Errorf("act %d (-want +got):\n%s", act, d)
		}
		must(t, world.Close())
	}
}
