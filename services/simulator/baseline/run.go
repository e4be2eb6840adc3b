package baseline

import (
	"fmt"
	"math"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

// names are the policies, from the simplest on. The oracle is no baseline.
var names = []string{"none", "greedy", "people", "oracle"}

// Names are those of the policies.
func Names() []string { return slices.Clone(names) }

func newPolicy(name string) (policy, error) {
	switch name {
	case "none":
		return none{}, nil
	case "greedy":
		return &greedy{}, nil
	case "people":
		return &people{}, nil
	case "oracle":
		return oracle{}, nil
	default:
		return nil, fmt.Errorf("there is no baseline %q; there are %v", name, names)
	}
}

// Player plays one episode by a policy.
type Player struct {
	policy policy
	game   game
}

// New makes a player of an episode, which nobody else may play.
func New(policy string, e *engine.Episode) (*Player, error) {
	p, err := newPolicy(policy)
	if err != nil {
		return nil, err
	}
	return &Player{p, game{episode: e}}, nil
}

// Tick looks at the tick and gives the commands for it. The next step is the
// caller's.
func (p *Player) Tick() {
	p.game.look()
	p.policy.play(&p.game)
}

// Loss is what a game cost: 100 for a casualty and 10 for a building.
func Loss(o engine.Outcome) int64 { return 100*o.Casualties + 10*o.BuildingsLost }

// Play plays an episode to its end.
func Play(policy string, s engine.Scenario, seed int64) (engine.Outcome, error) {
	e, err := engine.New(s, seed, "run")
	if err != nil {
		return engine.Outcome{}, err
	}
	p, err := New(policy, e)
	if err != nil {
		return engine.Outcome{}, err
	}
	for e.Lifecycle() == "running" {
		p.Tick()
		e.Step()
	}
	return e.Outcome(), nil
}

// Summary is a policy on a scenario over a block of seeds.
type Summary struct {
	Policy     string `json:"policy"`
	ScenarioID string `json:"scenario_id"`
	FirstSeed  int64  `json:"first_seed"`
	Seeds      int64  `json:"seeds"`
	Casualties Spread `json:"casualties"`
	Lost       Spread `json:"buildings_lost"`
	Loss       Spread `json:"loss"`
}

// Spread is the mean and the standard deviation of a sample.
type Spread struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

// Block plays a scenario with each seed of a block of at least one, and tells of
// each game that is over. It stops where told's error says so.
func Block(policy string, s engine.Scenario, first, seeds int64, told func() error) (Summary, error) {
	sum := Summary{Policy: policy, ScenarioID: s.ID, FirstSeed: first, Seeds: seeds}
	var casualties, lost, losses []int64
	for seed := first; seed < first+seeds; seed++ {
		o, err := Play(policy, s, seed)
		if err != nil {
			return Summary{}, err
		}
		casualties, lost, losses = append(casualties, o.Casualties), append(lost, o.BuildingsLost), append(losses, Loss(o))
		if err := told(); err != nil {
			return Summary{}, err
		}
	}
	sum.Casualties, sum.Lost, sum.Loss = spread(casualties), spread(lost), spread(losses)
	return sum, nil
}

func spread(sample []int64) Spread {
	total := int64(0)
	for _, v := range sample {
		total += v
	}
	s := Spread{Mean: float64(total) / float64(len(sample))}
	if len(sample) < 2 {
		return s
	}
	squares := 0.0
	for _, v := range sample {
		squares += (float64(v) - s.Mean) * (float64(v) - s.Mean)
	}
	s.Deviation = math.Sqrt(squares / float64(len(sample)-1))
	return s
}

// Known refuses a name that no policy has.
func Known(policy string) error {
	_, err := newPolicy(policy)
	return err
}
