package baseline

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// No policy but the oracle touches what a controller cannot have.
//
// clause: S-34
func TestOnlyWhatAControllerKnows(t *testing.T) {
	t.Parallel()
	public := map[string]bool{
		"Observation": true, "BuildingPoint": true, "TravelTime": true, "Dispatch": true, "Tick": true,
	}
	calls := regexp.MustCompile(`\bepisode\.(\w+)`)
	for _, name := range []string{"greedy.go", "people.go", "place.go", "looking.go", "hearing.go", "game.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range calls.FindAllStringSubmatch(string(text), -1) {
			if !public[call[1]] {
				t.Errorf("%s uses %s of the episode", name, call[1])
			}
		}
		for _, foreign := range []string{"simulator/speech", "simulator/city", "simulator/claim"} {
			if strings.Contains(string(text), foreign) {
				t.Errorf("%s imports %s", name, foreign)
			}
		}
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]heard{
		`{"claim":{"incident_type":"fire","severity":{"value":"high"},"headcount":{"value":2,"qualifier":"possibly_trapped"}}}`: {heads: 2},
		`{"claim":{"incident_type":"fire","severity":{"value":"low"},"headcount":{"value":null,"qualifier":"unknown"}}}`:        {heads: -1},
		`{"claim":{"incident_type":"none","severity":null,"headcount":null}}`:                                                   {nothing: true, heads: -1},
		`{"text":"Just a barbecue at <l3>."}`:                          {nothing: true, heads: -1},
		`{"text":"Three children are still inside!"}`:                  {heads: 3},
		`{"text":"Ludzie w środku, cztery osoby."}`:                    {heads: 4},
		`{"text":"Smoke from the roof, but everyone is out."}`:         {heads: 0},
		`{"text":"There is smoke."}`:                                   {heads: -1},
		`{"text":"Screaming from the second floor, I cannot see who"}`: {heads: 2},
	} {
		var c contact
		if err := json.Unmarshal([]byte(payload), &c.Payload); err != nil {
			t.Fatal(err)
		}
		if got := listen(&c); got != want {
			t.Errorf("%s: %+v, want %+v", payload, got, want)
		}
	}
}

// Reports that are near in place and time are of one fire, and one of a place
// that was looked at tells nothing new.
func TestReported(t *testing.T) {
	t.Parallel()
	var p people
	first := p.reported(geo.Point{X: 1000, Y: 1000}, 5)
	for name, c := range map[string]struct {
		x, tick int64
		same    bool
	}{
		"at once":   {1000, 5, true},
		"near":      {1000 + oneFire, 5 + oneTime, true},
		"far":       {1001 + oneFire, 5, false},
		"later":     {1000, 6 + oneTime, false},
		"told late": {1000, 5 - oneTime, true},
	} {
		alone := people{places: []*place{first}}
		if got := alone.reported(geo.Point{X: c.x, Y: 1000}, c.tick); (got == first) != c.same {
			t.Errorf("%s: the same fire: %v, want %v", name, got == first, c.same)
		}
	}
	first.over = true
	if p.reported(geo.Point{X: 1000, Y: 1000}, 6) != nil {
		t.Error("a place that was looked at is open again")
	}
}

// What there is to save falls with the time that a truck needs, and with what
// is known.
func TestWorth(t *testing.T) {
	t.Parallel()
	worth := func(p place, arrivals ...int64) int64 { return p.worth(10, arrivals) }
	open := place{since: 8, calls: 1, heads: 2}
	for name, c := range map[string]struct{ more, less int64 }{
		"soon and late":             {worth(open, 2), worth(open, 12)},
		"people and none":           {worth(open, 2), worth(place{since: 8, calls: 1}, 2)},
		"a call and one against":    {worth(open, 2), worth(place{since: 8, calls: 1, denials: 1, heads: 2}, 2)},
		"reported and denied alone": {worth(open, 2), worth(place{since: 8, denials: 1, heads: 2}, 2)},
		"two trucks and one":        {worth(open, 20, 20), worth(open, 20)},
		"open and over":             {worth(open, 2), worth(place{since: 8, calls: 1, heads: 2, over: true}, 2)},
		"held and lost": {
			worth(place{since: 0, building: "l1", heads: -1, burning: true, crew: 1, outIn: 9, fallsIn: -1, fought: 5}, 0),
			worth(place{since: 0, building: "l1", heads: -1, burning: true, crew: 1, outIn: -1, fallsIn: 9, fought: 5}, 0),
		},
	} {
		if c.more <= c.less {
			t.Errorf("%s: %d and %d", name, c.more, c.less)
		}
	}
}
