package simtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// observation cuts the observation out of a result's text as it stands.
func observation(t *testing.T, r result) string {
	t.Helper()
	return string(r.read(t).Observation)
}

// TestFrozen: what a tick shows is the same bytes from every tool that shows it,
// however often, and whatever is ordered in between; numbers and marks of
// buildings stand as they were made.
//
// clause: S-12, S-14, S-26
func TestFrozen(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	marks := 0
	r := c.must(t, "start_episode", `{"scenario_id":"stage2-voices@londone"}`)
	for tick := range 20 {
		want := observation(t, r)
		marks += strings.Count(r.text, " <l")
		if strings.Contains(r.text, `\u003c`) {
			t.Errorf("tick %d: marks are escaped", tick)
		}
		for range 2 {
			if got := observation(t, c.must(t, "status", `{}`)); got != want {
				t.Fatalf("tick %d:\n%s\n%s", tick, got, want)
			}
			c.must(t, "dispatch", dispatch(int64(tick), "truck-1", 300+tick))
			c.refused(t, "TICK_MISMATCH", "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick+1))
		}
		var compact bytes.Buffer
		ok(t, json.Compact(&compact, r.structured))
		var shown struct{ Observation json.RawMessage }
		ok(t, json.Unmarshal(compact.Bytes(), &shown))
		if got := unescaped(string(shown.Observation)); got != want {
			t.Fatalf("tick %d as structured content:\n%s\n%s", tick, got, want)
		}
		r = c.must(t, "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick))
	}
	if marks == 0 || !strings.Contains(observation(t, r), `.0`) {
		t.Errorf("%d marks of buildings in what was shown", marks)
	}
}

// unescaped takes back what encoders do to marks in strings.
func unescaped(text string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(text)
}

// dispatch are arguments.
func dispatch(tick int64, vehicle string, x int) string {
	return fmt.Sprintf(`{"expected_tick":%d,"vehicle_id":%q,"incident_id":"mine","rationale":"go","destination":{"x":%d,"y":500}}`, tick, vehicle, x)
}

// orders are the commands of a result.
type orders struct {
	Command struct {
		ID string `json:"command_id"`
	}
	Superseded []string
	Pending    []struct {
		ID      string `json:"command_id"`
		Vehicle string `json:"vehicle_id"`
	}
	Committed []struct {
		ID      string `json:"command_id"`
		Vehicle string `json:"vehicle_id"`
	} `json:"committed_commands"`
}

func (r result) orders(t *testing.T) (o orders) {
	t.Helper()
	ok(t, json.Unmarshal([]byte(r.text), &o))
	return o
}

// TestRetried: a dispatch that is sent again takes its own place, and the game
// goes on as if it had been sent once; a later order for the same vehicle wins.
//
// clause: S-12
func TestRetried(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	play := func(sent int) (truth string) {
		c.must(t, "start_episode", begin)
		var last orders
		for i := range sent {
			o := c.must(t, "dispatch", dispatch(0, "truck-1", 400)).orders(t)
			again := i > 0 && len(o.Superseded) == 1 && o.Superseded[0] == last.Command.ID
			if len(o.Pending) != 1 || !again && (i > 0 || len(o.Superseded) != 0) {
				t.Errorf("sent %d times: superseded %v, pending %v", i+1, o.Superseded, o.Pending)
			}
			last = o
		}
		o := c.must(t, "dispatch", dispatch(0, "truck-2", 350)).orders(t)
		if len(o.Superseded) != 0 || len(o.Pending) != 2 {
			t.Errorf("another vehicle: %+v", o)
		}
		r := c.must(t, "next_tick", `{"expected_tick":0}`)
		if o := r.orders(t); len(o.Committed) != 2 || o.Committed[0].ID != last.Command.ID {
			t.Errorf("committed: %+v", o.Committed)
		}
		c.refused(t, "TICK_MISMATCH", "dispatch", dispatch(0, "truck-1", 420)) // a retry that comes late
		truth = strings.ReplaceAll(observation(t, r), r.read(t).RunID, "run")
		for tick := range 10 {
			r = c.must(t, "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick+1))
			truth += strings.ReplaceAll(observation(t, r), r.read(t).RunID, "run")
		}
		return truth
	}
	if once, often := play(1), play(3); once != often {
		t.Error("sent three times it is another game")
	}
}

// TestTokens: what a runner says of its tokens is shown, and changes no byte of
// a tick or of the log.
//
// clause: S-26
func TestTokens(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	var runs, texts [2]string
	const none = `"tokens":{"intake":{"read":0,"write":0,"cache_read":0},"dispatch":{"read":0,"write":0,"cache_read":0}}`
	for i, said := range []string{"", `,"tokens":{"intake":{"read":4900,"write":310,"cache_read":3100}}`} {
		runs[i] = c.must(t, "start_episode", begin).read(t).RunID
		for tick := range 30 {
			if tick == 20 {
				said = "" // which keeps what was said before
			}
			r := c.must(t, "next_tick", fmt.Sprintf(`{"expected_tick":%d%s}`, tick, said))
			texts[i] += strings.ReplaceAll(r.text, runs[i], "run")
		}
		got, err := request(t.Context(), "GET", p.url+"/api/v1/snapshot", "", nil)
		ok(t, err)
		want := none
		if i == 1 {
			want = `"tokens":{"intake":{"read":4900,"write":310,"cache_read":3100},"dispatch":{"read":0,"write":0,"cache_read":0}}`
		}
		if !bytes.Contains(got.body, []byte(want)) {
			t.Errorf("the display shows other tokens than %s: %s", want, got.body)
		}
	}
	c.leave(t)
	eventually(t, "the end of the run", func() bool { return ended(p.runs, runs[1]) != "" })
	if texts[0] != texts[1] {
		t.Error("tokens change what a tick gives")
	}
	var lines [2]string
	for i, run := range runs {
		text, err := os.ReadFile(filepath.Join(p.runs, run+runlog.Suffix))
		ok(t, err)
		text = text[:bytes.LastIndexByte(text[:len(text)-1], '\n')] // the reasons are not the same
		lines[i] = strings.ReplaceAll(string(text), run, "run")
	}
	if lines[0] != lines[1] || strings.Contains(lines[1], "token") {
		t.Error("tokens are in the log")
	}
}
