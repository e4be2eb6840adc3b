package simtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// facts are what a run hides, as its log tells afterwards, and since when
// somebody may know it.
type facts struct {
	fullState bool
	texts     map[string]int64 // what callers say, by the tick at which it is delivered
	withheld  []string         // claims and labels of what callers say, as the log writes them
	people    map[string]bool  // numbers of people that only the truth has
	ignited   map[string]int64 // when buildings began to burn
	earned    map[string]int64 // when buildings were first named by a contact, or seen by a truck
}

// logLine is what the scan reads of a line of a log.
type logLine struct {
	Type     string
	Tick     int64
	Scenario string `json:"scenario_id"`
	MapID    string `json:"map_id"`
	Contacts []struct {
		Delivered int64 `json:"delivered_at"`
		Location  struct {
			Building string `json:"building_id"`
		} `json:"reported_location"`
		Payload      string `json:"payload_type"`
		Text         string
		Claim, Label json.RawMessage
	}
	Vehicles []struct{ Position struct{ X, Y json.Number } }
	Truth    struct {
		Buildings []struct {
			ID      string `json:"building_id"`
			Ignited int64  `json:"ignited_at"`
			People  []struct{ Tolerance, Leave int64 }
		}
	}
}

var (
	building = regexp.MustCompile(`\bl[0-9]+\b`)
	marked   = regexp.MustCompile(`<(l[0-9]+)>`)
)

// factsOf reads the log of a run that is over.
func factsOf(t *testing.T, folder, run string) *facts {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, run+runlog.Suffix))
	ok(t, err)
	f := &facts{texts: map[string]int64{}, people: map[string]bool{}, ignited: map[string]int64{}, earned: map[string]int64{}}
	var m *city.Map
	var told []string // claims that are public
	for one := range bytes.Lines(text) {
		var l logLine
		ok(t, json.Unmarshal(one, &l))
		switch l.Type {
		case "header":
			scenario, _ := engine.Find(l.Scenario)
			f.fullState = scenario.Template.FullState
			m, _ = city.Load(l.MapID)
		case "tick":
			for _, c := range l.Contacts {
				f.earn(c.Location.Building, l.Tick)
				for _, mark := range marked.FindAllStringSubmatch(c.Text, -1) {
					f.earn(mark[1], l.Tick)
				}
				if c.Payload == "structured_report" {
					told = append(told, string(c.Claim))
					continue
				}
				if _, known := f.texts[c.Text]; !known {
					f.texts[c.Text] = c.Delivered
				}
				f.withheld = append(f.withheld, string(c.Claim), string(c.Label))
			}
			for _, v := range l.Vehicles {
				x, badX := geo.ParseTenths(v.Position.X.String())
				y, badY := geo.ParseTenths(v.Position.Y.String())
				ok(t, badX)
				ok(t, badY)
				for _, s := range m.Near(nil, geo.Point{X: x, Y: y}, engine.Vision) {
					f.earn("l"+strconv.Itoa(s.Building+1), l.Tick)
				}
			}
		case "end":
			for _, b := range l.Truth.Buildings {
				f.ignited[b.ID] = b.Ignited
				for _, p := range b.People {
					if p.Tolerance >= 1000 { // what is less may be anything
						f.people[strconv.FormatInt(p.Tolerance, 10)] = true
					}
				}
			}
		}
	}
	f.withheld = slices.DeleteFunc(f.withheld, func(claim string) bool { return slices.Contains(told, claim) })
	return f
}

func (f *facts) earn(id string, tick int64) {
	if _, known := f.earned[id]; id != "" && !known {
		f.earned[id] = tick
	}
}

// output is something that somebody may see at a tick.
type output struct {
	what    string
	display bool
	tick    int64
	running bool
	bytes   []byte
}

// The members of what the display shows, under both policies, and of the truth
// that one of them adds.
var (
	snapshotMembers = strings.Fields(`api_version display_revision lifecycle run_id scenario_id map_id tick tick_limit metrics
		casualties buildings_lost tokens intake dispatch read write cache_read vision_radius vehicles fire_eta pending contacts display_policy truth
		building_id ticks_to_extinguish ticks_to_collapse vehicle_id label position x y status route remaining total eta_ticks edges polyline
		destination requested snapped incident_id last_rationale command_id rationale contact_id source_type occurred_at delivered_at
		reported_location kind point payload_type payload text claim incident_type severity value confidence headcount qualifier event_time
		source_reliability evidence negations superseded_by destination`)
	truthMembers = strings.Fields(`buildings building_id status ever_burned occupants casualties intensity`)
	members      = regexp.MustCompile(`"([a-z_]+)":`)
	numbers      = regexp.MustCompile(`[:,\[ ](\d{4,})[,\]} ]`)
)

// leaks names what an output tells that it must not. The members of results are
// those of the tools' schemas, the file names those of this machine.
func (f *facts) leaks(o output, schema map[string]bool, files []string) (found []string) {
	text := unescaped(strings.ReplaceAll(string(o.bytes), `\"`, `"`))
	say := func(kind, what string) { found = append(found, kind+": "+what) }
	truth := ""
	if o.display {
		text, truth, _ = strings.Cut(text, `"truth":`)
	}
	for _, name := range members.FindAllStringSubmatch(text, -1) {
		if o.display && !slices.Contains(snapshotMembers, name[1]) || !o.display && !schema[name[1]] {
			say("a member", name[1])
		}
		if !o.display && o.running && (name[1] == "casualties" || name[1] == "buildings_lost") {
			say("the score", name[1])
		}
	}
	for _, id := range building.FindAllString(text, -1) {
		if since, known := f.earned[id]; !known || since > o.tick {
			say("a building that nobody has named", id)
		}
	}
	for said, since := range f.texts {
		if since > o.tick && strings.Contains(text, said) {
			say("a call of the future", said)
		}
	}
	for _, claim := range f.withheld {
		if strings.Contains(text+truth, claim) {
			say("a claim", claim)
		}
	}
	for _, n := range numbers.FindAllStringSubmatch(text, -1) {
		if f.people[n[1]] {
			say("how much somebody stands", n[1])
		}
	}
	for _, part := range files {
		if strings.Contains(text+truth, part) {
			say("a file", part)
		}
	}
	if o.display {
		found = append(found, f.truthLeaks(o, truth)...)
	}
	return found
}

// truthLeaks names what the display's truth tells that it must not.
func (f *facts) truthLeaks(o output, truth string) (found []string) {
	if !f.fullState {
		if !strings.HasPrefix(truth, "null") {
			found = append(found, "the truth: "+truth)
		}
		return found
	}
	for _, name := range members.FindAllStringSubmatch(truth, -1) {
		if !slices.Contains(truthMembers, name[1]) {
			found = append(found, "a member of the truth: "+name[1])
		}
	}
	for _, id := range building.FindAllString(truth, -1) {
		if since, burns := f.ignited[id]; !burns || since > o.tick {
			found = append(found, "a fire of the future: "+id)
		}
	}
	return found
}
