package simtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// private are parts of texts that tell of files and programs.
var private = []string{runlog.Suffix, "/tmp", "runs", "permission", "no such file", "file too large", "goroutine", ".go:", "pharos/"}

// failed asks for a failure that tells nothing.
func (c *client) failed(t *testing.T, tool, arguments string) {
	t.Helper()
	r, err := c.call(t.Context(), tool, arguments)
	ok(t, err)
	hides(t, tool, r)
}

// hides reports what a failure tells of the program.
func hides(t *testing.T, tool string, r result) {
	t.Helper()
	if r.code != "INTERNAL" {
		t.Errorf("%s: %q", tool, r.text)
	}
	for _, part := range private {
		if strings.Contains(string(r.wire), part) {
			t.Errorf("%s tells of %q: %s", tool, part, r.wire)
		}
	}
}

// TestFullDisk: where a tick does not fit on the disk the run is over for
// everybody, its log is whole up to the tick before, and the next run begins
// once there is room.
//
// clause: S-29, S-30
func TestFullDisk(t *testing.T) {
	t.Parallel()
	file := configure(t, nil)
	limited := exec.Command("bash", "-c", `ulimit -f 24 && exec "$0" "$@"`, program(t), "serve", "-config", file, "simulator")
	p := serveAs(t, limited)
	c := opened(t, p.url)
	start := c.must(t, "start_episode", begin).read(t)
	tick := int64(0)
	for ; tick < 100; tick++ {
		r, err := c.call(t.Context(), "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick))
		ok(t, err)
		if r.code != "" {
			hides(t, "next_tick", r)
			break
		}
	}
	if tick < 3 || tick == 100 {
		t.Fatalf("the disk is full at tick %d", tick)
	}
	c.refused(t, "WRONG_LIFECYCLE", "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick))
	c.refused(t, "WRONG_LIFECYCLE", "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick+1))
	c.refused(t, "WRONG_LIFECYCLE", "travel_time", `{"from":{"vehicle_id":"truck-1"},"to":{"vehicle_id":"truck-2"}}`)
	if o := c.must(t, "status", `{}`).read(t); o.Lifecycle != "aborted" || o.Observation != nil || o.RunID != start.RunID || o.Tick != tick {
		t.Errorf("status: %+v", o)
	}
	if !strings.Contains(p.stderr.String(), "file too large") {
		t.Error("the log of the program does not say why")
	}
	second := c.must(t, "start_episode", begin).read(t).RunID
	c.must(t, "next_tick", `{"expected_tick":0}`)
	p.stop(t)
	p = serve(t, file) // with room
	reasons := ends(t, p.runs)
	if got := reasons[start.RunID]; got != "aborted" && got != "aborted:process_restart" {
		t.Errorf("the run ended %q", got)
	}
	if reasons[second] != "aborted" {
		t.Errorf("the next run ended %q", reasons[second])
	}
	if at := logs(t, p.runs)[start.RunID].Episode.Tick(); at != tick {
		t.Errorf("the log ends at tick %d, want %d", at, tick)
	}
}

// TestNoFolder: a run whose log cannot begin does not begin, and the one before
// goes on.
//
// clause: S-29, S-30
func TestNoFolder(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	run := c.must(t, "start_episode", begin).read(t).RunID
	before := c.must(t, "status", `{}`).text
	aside := filepath.Join(t.TempDir(), "aside")
	ok(t, os.Rename(p.runs, aside)) // which even root notices
	c.failed(t, "start_episode", begin)
	if after := c.must(t, "status", `{}`).text; after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	ok(t, os.Rename(aside, p.runs))
	c.must(t, "next_tick", `{"expected_tick":0}`)
	c.must(t, "start_episode", begin)
	if got := ended(p.runs, run); got != "aborted:replaced" {
		t.Errorf("the run ended %q", got)
	}
}
