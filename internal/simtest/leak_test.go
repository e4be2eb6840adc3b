package simtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// recorder plays a game and keeps everything that it gives to see.
type recorder struct {
	t       *testing.T
	process *process
	client  *client
	tick    int64
	running bool
	all     []output
}

// call calls a tool, keeps the answer, and gives it.
func (r *recorder) call(tool, arguments string) result {
	r.t.Helper()
	got, err := r.client.call(r.t.Context(), tool, arguments)
	ok(r.t, err)
	if o := (observed{}); got.code == "" && json.Unmarshal([]byte(got.text), &o) == nil {
		r.tick, r.running = o.Tick, o.Lifecycle == "running"
	}
	r.all = append(r.all, output{what: tool + " " + arguments, tick: r.tick, running: r.running, bytes: got.wire})
	return got
}

// look keeps what the display shows.
func (r *recorder) look() {
	r.t.Helper()
	got, err := request(r.t.Context(), "GET", r.process.url+"/api/v1/snapshot", "", nil)
	ok(r.t, err)
	r.all = append(r.all, output{what: "snapshot", display: true, tick: r.tick, running: r.running, bytes: got.body})
}

// scene is what a player reads of an observation.
type scene struct {
	Observation struct {
		Contacts []struct {
			Location struct {
				Building string `json:"building_id"`
				Point    *struct{ X, Y json.Number }
			} `json:"reported_location"`
			Source string `json:"source_type"`
		}
		Vehicles []struct {
			ID     string `json:"vehicle_id"`
			Status string
		}
	}
}

// play plays an episode as somebody does who asks for everything and believes
// everybody, and probes for what it was told before by an earlier run.
func (r *recorder) play(scenario string, probed []string) (run string) {
	r.t.Helper()
	got := r.call("start_episode", `{"scenario_id":"`+scenario+`"}`)
	run = got.read(r.t).RunID
	for r.running {
		var s scene
		ok(r.t, json.Unmarshal([]byte(got.text), &s))
		for _, c := range s.Observation.Contacts {
			if c.Source == "vehicle_sensor" {
				continue
			}
			point := c.Location.Point
			if c.Location.Building != "" {
				var where struct{ Point *struct{ X, Y json.Number } }
				ok(r.t, json.Unmarshal([]byte(r.call("building_to_coords", `{"building_id":"`+c.Location.Building+`"}`).text), &where))
				point = where.Point
			}
			at := fmt.Sprintf(`{"x":%s,"y":%s}`, point.X, point.Y)
			for _, v := range s.Observation.Vehicles {
				r.call("travel_time", `{"from":{"vehicle_id":"`+v.ID+`"},"to":{"point":`+at+`}}`)
				if v.Status == "idle" {
					r.call("dispatch", fmt.Sprintf(`{"expected_tick":%d,"vehicle_id":%q,"incident_id":"i","rationale":"r","destination":%s}`, r.tick, v.ID, at))
				}
			}
		}
		r.probe(probed)
		r.call("status", `{}`)
		r.look()
		got = r.call("next_tick", fmt.Sprintf(`{"expected_tick":%d}`, r.tick))
	}
	r.call("status", `{}`)
	r.probe(probed)
	r.look()
	return run
}

// probe asks for what it should not know. Every building that nobody has named
// is answered as one that is not there.
func (r *recorder) probe(buildings []string) {
	r.t.Helper()
	nowhere := r.call("building_to_coords", `{"building_id":"l999999"}`)
	for _, id := range buildings {
		if got := r.call("building_to_coords", `{"building_id":"`+id+`"}`); got.code != "" && got.text != nowhere.text {
			r.t.Errorf("%s is told apart from nothing: %s", id, got.text)
		}
	}
	for tool, arguments := range map[string]string{
		"next_tick":     fmt.Sprintf(`{"expected_tick":%d}`, r.tick+1),
		"dispatch":      `{"expected_tick":0,"vehicle_id":"truck-9","incident_id":"i","rationale":"r","destination":{"x":-1,"y":5}}`,
		"travel_time":   `{"from":{"vehicle_id":"truck-9"},"to":{"point":{"x":99999,"y":5}}}`,
		"start_episode": `{"scenario_id":"stage9@nowhere","more":1}`,
		"status":        `{"hidden":true}`,
	} {
		r.call(tool, arguments)
	}
}

// passive plays an episode without doing anything, and gives the facts.
func passive(t *testing.T, p *process, c *client, scenario string) *facts {
	t.Helper()
	o := c.must(t, "start_episode", `{"scenario_id":"`+scenario+`"}`).read(t)
	for o.Lifecycle == "running" {
		o = c.must(t, "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, o.Tick)).read(t)
	}
	return factsOf(t, p.runs, o.RunID)
}

// schemaMembers are the members of all results of the tools, as they are
// listed, and of a message.
func schemaMembers(t *testing.T, c *client) map[string]bool {
	t.Helper()
	got, err := c.post(t.Context(), `{"jsonrpc":"2.0","id":4,"method":"tools/list"}`)
	ok(t, err)
	var list struct {
		Result struct {
			Tools []struct{ OutputSchema any }
		}
	}
	ok(t, json.Unmarshal(got.body, &list))
	known := map[string]bool{"jsonrpc": true, "id": true, "result": true, "content": true, "type": true, "text": true}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if properties, isMap := v["properties"].(map[string]any); isMap {
				for name := range properties {
					known[name] = true
				}
			}
			for _, inside := range v {
				walk(inside)
			}
		case []any:
			for _, inside := range v {
				walk(inside)
			}
		}
	}
	for _, tool := range list.Result.Tools {
		walk(tool.OutputSchema)
	}
	return known
}

// files are parts of texts that only somebody knows who sees this machine.
func files(t *testing.T, p *process) []string {
	t.Helper()
	home, err := os.UserHomeDir()
	ok(t, err)
	return []string{p.runs, filepath.Dir(p.runs), home + "/", runlog.Suffix, "goroutine ", ".go:", program(t), "/proc/"}
}

// TestLeaks reads everything that games give to see, byte by byte, for what
// their logs tell of the truth afterwards.
//
// clause: S-22, S-23, S-27, S-29, S-41
func TestLeaks(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{
		"stage1-basic@londone", "stage2-voices@oldtown", "stage3-echoes@portside", "stage4-surge@oldtown", "stage5-babel@londone",
	} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			p := serve(t, configure(t, nil))
			c := opened(t, p.url)
			schema, hidden := schemaMembers(t, c), files(t, p)
			before := pages(t, p)
			future := passive(t, p, c, scenario)
			r := &recorder{t: t, process: p, client: c}
			f := factsOf(t, p.runs, r.play(scenario, slices.Sorted(maps.Keys(future.ignited))))
			if len(f.ignited) < 2 || len(r.all) < 300 || f.fullState != (scenario < "stage3") ||
				!f.fullState && (len(f.texts) == 0 || len(f.withheld) < 5) {
				t.Errorf("%d fires, %d texts, %d claims, %d outputs, full state %v",
					len(f.ignited), len(f.texts), len(f.withheld), len(r.all), f.fullState)
			}
			size := 0
			for _, o := range r.all {
				size += len(o.bytes)
				for _, leak := range f.leaks(o, schema, hidden) {
					t.Errorf("tick %d, %s tells %s", o.tick, o.what, leak)
				}
			}
			after := pages(t, p)
			for path, page := range before {
				if !bytes.Equal(page, after[path]) {
					t.Errorf("%s is another one after the game", path)
				}
				if i := slices.IndexFunc(hidden[:3], func(part string) bool { return bytes.Contains(page, []byte(part)) }); i >= 0 {
					t.Errorf("%s tells of %s", path, hidden[i])
				}
			}
			t.Logf("%d outputs, %d bytes; %d fires, %d texts, %d claims and labels, %d numbers of people",
				len(r.all), size, len(f.ignited), len(f.texts), len(f.withheld), len(f.people))
			f.planted(t, r.all, schema, hidden)
		})
	}
}

// pages are those of the display that are not about a run.
func pages(t *testing.T, p *process) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, path := range shown {
		if path != "/api/v1/snapshot" {
			got, err := request(t.Context(), "GET", p.url+path, "", nil)
			ok(t, err)
			all[path] = got.body
		}
	}
	return all
}

// planted hides leaks of every kind in what was seen, one at a time: each must
// be found.
func (f *facts) planted(t *testing.T, all []output, schema map[string]bool, files []string) {
	t.Helper()
	plants := map[string]string{
		"a member": `,"tolerance":7`, "a file": `,"text":"` + files[0] + `/x"`, "a building that nobody has named": `,"text":"l999998"`,
	}
	if len(f.withheld) > 0 {
		plants["a claim"] = `,"payload":` + f.withheld[0]
	}
	for n := range f.people {
		plants["how much somebody stands"] = `,"tick":` + n + `,"x":1`
	}
	for id, tick := range f.earned {
		if tick > 2 {
			plants["a building that nobody has named"] = `,"text":"Smoke at <` + id + `>!"`
		}
	}
	for text, tick := range f.texts {
		if tick > 2 && building.FindString(text) == "" {
			plants["a call of the future"] = `,"text":"` + text + `"`
		}
	}
	clean := func(o output) bool { return o.tick == 1 && o.running && len(f.leaks(o, schema, files)) == 0 }
	for _, display := range []bool{false, true} {
		i := slices.IndexFunc(all, func(o output) bool { return o.display == display && clean(o) })
		if i < 0 {
			t.Fatal("nothing was seen at tick 1")
		}
		for kind, plant := range plants {
			o := all[i]
			o.bytes = bytes.Replace(o.bytes, []byte(`,"tick":1`), []byte(`,"tick":1`+plant), 1)
			if !finds(f.leaks(o, schema, files), kind) {
				t.Errorf("a planted leak is not found: %s in %s", plant, o.what)
			}
		}
		if o := all[i]; !display {
			o.bytes = bytes.Replace(o.bytes, []byte(`,"tick":1`), []byte(`,"tick":1,"casualties":0`), 1)
			if !finds(f.leaks(o, schema, files), "the score") {
				t.Error("a planted score is not found")
			}
			continue
		}
		for id, tick := range f.ignited {
			if tick <= 1 {
				continue
			}
			o, kind := all[i], "a fire of the future"
			o.bytes = append(bytes.Clone(o.bytes[:bytes.Index(o.bytes, []byte(`"truth":`))]), `"truth":{"buildings":[{"building_id":"`+id+`"}]}}`...)
			if !f.fullState {
				kind = "the truth"
			}
			if !finds(f.leaks(o, schema, files), kind) {
				t.Errorf("a planted fire of tick %d is not found", tick)
			}
		}
	}
}

func finds(leaks []string, kind string) bool {
	return slices.ContainsFunc(leaks, func(leak string) bool { return strings.HasPrefix(leak, kind+": ") })
}
