package engine

import (
	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// decoyKind is what people take for a fire, or say is one.
type decoyKind int

const (
	barbecue decoyKind = iota
	steam
	alarmFault
	bonfire
	drill
	hoax
)

// decoyWeights are how often each happens.
var decoyWeights = []int64{3, 2, 2, 2, 2, 2}

// negations are what somebody says who stands near.
var negations = map[decoyKind]claim.Negation{
	barbecue: claim.Barbecue, steam: claim.Steam, bonfire: claim.Bonfire, drill: claim.Drill, alarmFault: claim.FalseBell,
}

// prepareCalls draws the decoys of an episode, in the time in which fires
// begin. All callers of one share the address that they are wrong about; who gives
// a point is off by as much as anybody, for two calls of one point would tell.
func (e *Episode) prepareCalls() {
	e.calls.named = make([]bool, len(e.houses))
	t := e.scenario.Template
	s := stream.New(e.seed, "decoys", 0, 0)
	for k := range int64(t.Decoys) {
		tick, building, kind := s.Range(t.Window[0], t.Window[1]), int(s.N(int64(len(e.houses)))), decoyKind(s.Pick(decoyWeights...))
		origin := OfDecoy
		if kind == hoax {
			origin = OfHoax
		}
		if kind == alarmFault {
			e.alarm(building, tick, origin)
			continue
		}
		e.decoyCalls(k, call{building: building, occurred: tick, origin: origin, kind: kind})
	}
}

// decoyCalls draws the callers of one decoy.
func (e *Episode) decoyCalls(k int64, p call) {
	t := e.scenario.Template
	s := stream.New(e.seed, "decoycalls", k, 0)
	begins := p.occurred
	var first drawn
	for caller := range int64(s.Pick(t.Callers...)) + 1 {
		see, delay, d := draw(s, t)
		if caller == 0 {
			first = d
		}
		d.wrong, d.nth = first.wrong, first.nth
		p.occurred, p.delay, p.drawn, p.number = begins+see, delay, d, decoyWords+k*callStep+caller
		e.calls.seeing = append(e.calls.seeing, p)
	}
}

// pretend is what a caller says of what is no fire. A hoax sounds like a call
// about one; of the others, who stands near says what it is.
func pretend(c *claim.Claim, p *call) {
	d := p.drawn
	if p.kind != hoax && d.near {
		c.Type, c.Negations = claim.None, []claim.Negation{negations[p.kind]}
		return
	}
	people := d.pretendedMore
	if p.kind == hoax {
		d.saysFire = true
		people = max(1, people)
	}
	d.contradicts = false
	describe(c, &d, d.pretended, people)
}
