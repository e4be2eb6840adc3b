package worldtest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/key"
)

var beside = flag.Duration("beside", time.Minute, "with -long, how long clients build beside an agent")

// TestBesidePlayers: two clients of mineflayer build at random beside an agent. A
// player's change within a build outlives its undo, and at the end the journal,
// the region files and what the clients show agree, although the process is killed.
//
// clause: W-16, W-18, W-24
func TestBesidePlayers(t *testing.T) {
	if !*long {
		t.Skip("needs -long, and what .ci/world installs")
	}
	world := filepath.Join(t.TempDir(), "world")
	s := serve(t, world, database(t))
	found, err := exec.Command("../../.ci/e2e/install", "-node").Output()
	ok(t, err)
	_, port, err := net.SplitHostPort(s.java)
	ok(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), *beside+3*time.Minute)
	defer cancel()
	node := exec.CommandContext(ctx, strings.TrimSpace(string(found)), "beside.mjs", port, s.url, s.keys[key.Agent], owner.String(),
		fmt.Sprint(int(beside.Seconds())), fmt.Sprint(*seed))
	node.Dir = "../../.ci/world"
	var stderr bytes.Buffer
	node.Stderr = &stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("beside.mjs: %v\n%s\n%s", err, stderr.String(), s.stderr.String())
	}
	var said struct {
		Did    map[string]int
		States [][]any
	}
	ok(t, json.Unmarshal(out, &said))
	t.Logf("%v: %v", *beside, said.Did)
	for _, what := range []string{"plans", "undone", "conflicts", "placed", "broken", "kept"} {
		if said.Did[what] == 0 {
			t.Errorf("nothing was %s", what)
		}
	}
	context := s.result(t, key.Agent, "project_context", fields{})
	for _, o := range context["recent"].([]any) {
		if status := o.(map[string]any)["status"]; status != "applied" && status != "conflict" {
			t.Errorf("an operation is %v", status)
		}
	}

	time.Sleep(7 * time.Second) // what players do is saved every five
	s.end(syscall.SIGKILL)
	files, err := disk.In(world)
	ok(t, err)
	defer files.Close()
	pack, err := blocks.Load(blocks.Default)
	ok(t, err)
	again, err := anvil.Open(anvil.Config{Files: files, Folder: world, Pack: pack})
	ok(t, err)
	defer again.Close()
	place := geom.Box{Min: geom.Pos{X: 4, Y: 63, Z: 4}, Max: geom.Pos{X: 16, Y: 76, Z: 16}}
	ok(t, again.View(t.Context(), place, func(r host.Reader) error {
		for _, line := range said.States {
			at := func(i int) int32 { return int32(line[i].(float64)) }
			p := geom.Pos{X: at(0), Y: at(1), Z: at(2)}
			if got, want := line[3].(string), r.At(p); got != want {
				t.Errorf("at %s the clients saw %s, and the file has %s", p, got, want)
			}
		}
		return nil
	}))
	if int64(len(said.States)) != place.Volume() {
		t.Errorf("%d positions were compared", len(said.States))
	}
}
