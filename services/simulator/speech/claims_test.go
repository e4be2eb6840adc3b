package speech_test

import (
	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// said is a text with what went into it.
type said struct {
	text  string
	label claim.Label
	call  speech.Call
}

// say renders a claim of chance.
func say(seed int64, language string, b speech.Book) said {
	s := stream.New(seed, "test", int64(b), 0)
	c := speech.Call{Claim: chance(s), Delivered: 50}
	if s.Permille(750) {
		c.Location.Building = int(s.Range(1, 700))
	}
	text, label := speech.Render(stream.New(seed, "render", int64(b), 0), language, b, c)
	return said{text, label, c}
}

// chance makes any claim that people make.
func chance(s *stream.Stream) *claim.Claim {
	c := &claim.Claim{
		Type:      []claim.Type{claim.Fire, claim.Unknown, claim.None}[s.N(3)],
		EventTime: claim.Moment{Tick: 50 - s.N(7)},
	}
	if c.Type == claim.None {
		c.Negations = []claim.Negation{
			[]claim.Negation{claim.Barbecue, claim.Steam, claim.FalseBell, claim.Bonfire, claim.Drill, claim.Out}[s.N(6)],
		}
		return c
	}
	c.Evidence = []claim.Evidence{claim.Smoke}
	if c.Type == claim.Fire {
		c.Evidence = [][]claim.Evidence{{claim.Smoke}, {claim.Smoke, claim.Flames}, {claim.Smoke, claim.Flames, claim.Heat}}[s.N(3)]
	}
	c.Severity = &claim.Graded{Value: []claim.Severity{claim.Low, claim.Medium, claim.High}[s.N(3)]}
	q := []claim.Qualifier{claim.PossiblyTrapped, claim.ConfirmedTrapped, claim.AllOut, claim.UnknownHeads}[s.N(4)]
	c.Headcount = &claim.Heads{Qualifier: q, Known: q != claim.UnknownHeads}
	if q == claim.PossiblyTrapped || q == claim.ConfirmedTrapped {
		c.Headcount.Value = s.Range(1, 8)
	}
	return c
}
