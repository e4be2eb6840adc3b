package engine

import (
	"fmt"

	"github.com/pharos-mcp/pharos/services/simulator/city"
)

// Template is a kind of episode, which every map gives.
type Template struct {
	ID, Title, Description string
	Stage                  int
	Seed                   int64 // the published one
	Trucks                 int
	Fires                  int
	Window                 [2]int64 // ticks in which they begin
	Callers                []int64  // weights of 1, 2, … callers of a fire
	See                    [2]int64 // ticks from a fire's beginning to what a caller sees
	Delay                  []int64  // weights of 0, 1, … ticks from then to the call
	WrongAddress           int64    // permille
	Coordinates            int64    // permille
	Decoys                 int
	Contradiction          int64 // permille
	Wind                   int64 // strength in permille
	Turn                   int64 // tick at which the wind turns; 0 for never
	Text                   bool  // calls are words
	Polish                 int64 // permille of them
	FullState              bool  // the display shows the truth
}

// TickLimit is how long an episode can last.
const TickLimit = 100

// templates are the five stages.
var templates = []Template{
	{
		ID: "stage1-basic", Stage: 1, Seed: 51001, Title: "Structured reports from the call centre",
		Description: "The call centre sends clean, structured reports. Two engines are yours for the shift.",
		Trucks:      2, Fires: 3, Window: [2]int64{0, 30}, Callers: []int64{1}, See: [2]int64{0, 1}, Delay: []int64{1}, FullState: true,
	},
	{
		ID: "stage2-voices", Stage: 2, Seed: 52001, Title: "Callers in their own words",
		Description: "Now people call themselves: what they say comes as text, with the place beside it. Not all of it is a fire.",
		Trucks:      2, Fires: 4, Window: [2]int64{0, 45}, Callers: []int64{2, 1}, See: [2]int64{0, 2}, Delay: []int64{3, 1},
		Decoys: 1, Text: true, FullState: true,
	},
	{
		ID: "stage3-echoes", Stage: 3, Seed: 53001, Title: "Several callers, one fire",
		Description: "Calls come late and repeat each other, some name the wrong house, and some contradict the others.",
		Trucks:      3, Fires: 6, Window: [2]int64{0, 55}, Callers: []int64{2, 3, 2, 1}, See: [2]int64{0, 5}, Delay: []int64{4, 3, 2, 1},
		WrongAddress: 150, Coordinates: 250, Decoys: 4, Contradiction: 100, Text: true,
	},
	{
		ID: "stage4-surge", Stage: 4, Seed: 54001, Title: "A windy night",
		Description: "More fires than engines, and a wind that carries them from house to house.",
		Trucks:      3, Fires: 9, Window: [2]int64{0, 60}, Callers: []int64{2, 3, 2, 1}, See: [2]int64{1, 5}, Delay: []int64{3, 3, 2, 1, 1},
		WrongAddress: 150, Coordinates: 250, Decoys: 5, Contradiction: 200, Wind: 400, Text: true,
	},
	{
		ID: "stage5-babel", Stage: 5, Seed: 55001, Title: "Two languages and a turning wind",
		Description: "Callers speak English and Polish, a strong wind turns half-way, and every second report needs doubt.",
		Trucks:      4, Fires: 12, Window: [2]int64{0, 60}, Callers: []int64{1, 3, 3, 2, 1}, See: [2]int64{1, 6},
		Delay: []int64{2, 3, 2, 1, 1, 1}, WrongAddress: 200, Coordinates: 250, Decoys: 8, Contradiction: 250,
		Wind: 700, Turn: 40, Text: true, Polish: 400,
	},
}

// Scenario is a template on a map.
type Scenario struct {
	ID, MapID string
	Template  *Template
}

// Scenarios are all that can be played, stage by stage.
func Scenarios() []Scenario {
	var all []Scenario
	for i := range templates {
		for _, id := range city.IDs() {
			all = append(all, Scenario{fmt.Sprintf("%s@%s", templates[i].ID, id), id, &templates[i]})
		}
	}
	return all
}

// Find gives the scenario of an id.
func Find(id string) (Scenario, bool) {
	for _, s := range Scenarios() {
		if s.ID == id {
			return s, true
		}
	}
	return Scenario{}, false
}
