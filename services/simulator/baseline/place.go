package baseline

import "github.com/pharos-mcp/pharos/services/simulator/geo"

// place is somewhere that may burn.
type place struct {
	at       geo.Point
	told     geo.Point // where trucks were sent for it
	building string    // that was seen to burn; "" where nobody has looked
	since    int64     // first tick that a report tells of
	calls    int64
	denials  int64
	alarms   int64
	heads    int64 // inside, the most that was said; -1 where nobody did
	headsAge int64 // of the fire when that was so
	burning  bool  // a truck sees it burn
	crew     int64 // trucks that fight it, as it seems
	outIn    int64 // ticks under this crew, or -1
	fallsIn  int64
	fought   int64 // ticks of trucks: each has brought somebody out, if somebody was there
	over     bool  // a truck has looked, and it does not burn
}

// What there is to save, in thousandths of a point of loss, and what is expected
// where nothing is known; found by trying on seeds that are not those of the
// table.
const (
	ofLife     = 100_000
	ofBuilding = 100_000 // with what it would set on fire
	headsThere = 550     // permille of a person in a house of which nobody says
	headsSaid  = 300     // where all are said to be out
	headsEarly = 550     // of each who is said to be inside while some still walk out
	headsLate  = 900     // and later
	perRescue  = 700     // that each tick of a truck brings out
	walking    = 4       // age of a fire until which they do
	seenAge    = 1       // of a fire when its first caller sees it
)

// The ages of a fire until which all who are inside live, and from which on
// nobody does.
const allLive, noneLives = 8, 22

// worth is what it is worth that trucks arrive in so many ticks, the first
// first.
func (p *place) worth(tick int64, arrivals []int64) int64 {
	if p.over {
		return 0
	}
	age := tick - p.since + seenAge
	value := ofLife * p.inside() / 1000 * alive(age+arrivals[0]) / 1000
	kept := int64(0)
	for i, eta := range arrivals {
		kept = max(kept, p.hold(int64(i+1), age+eta, eta))
	}
	return p.chance() * (value + ofBuilding*kept/1000) / 1000
}

// chance is how likely it burns, in permille.
func (p *place) chance() int64 {
	switch {
	case p.building != "":
		return 1000
	case p.denials == 0:
		return min(1000, 850+50*(p.calls+p.alarms))
	case p.calls+p.alarms == 0:
		return 250
	default:
		return 1000 * (p.calls + p.alarms) / (p.calls + p.alarms + p.denials)
	}
}

// inside is how many are expected inside who do not walk out, in permille of a
// person.
func (p *place) inside() int64 {
	heads := int64(headsThere)
	switch {
	case p.heads == 0:
		heads = headsSaid
	case p.heads > 0 && p.headsAge < walking:
		heads = headsEarly * p.heads
	case p.heads > 0:
		heads = headsLate * p.heads
	}
	if p.heads < 0 && p.fought > 1 {
		return 0
	}
	return max(0, heads-perRescue*p.fought)
}

// alive is how many of those inside live at an age of a fire, in permille.
func alive(age int64) int64 {
	return 1000 * min(max(noneLives-age, 0), noneLives-allLive) / (noneLives - allLive)
}

// hold is how likely so many trucks save the building that begin at an age, in
// permille, and so what it would set on fire.
func (p *place) hold(trucks, age, eta int64) int64 {
	if p.burning {
		switch {
		case p.fallsIn >= 0 && (p.fallsIn <= eta+1 || trucks <= p.crew):
			return 0
		case p.outIn >= 0 && trucks >= p.crew:
			return 1000
		}
	}
	sure, never := 5+5*trucks, 20+12*trucks // ages
	return 1000 * min(max(never-age, 0), never-sure) / (never - sure)
}
