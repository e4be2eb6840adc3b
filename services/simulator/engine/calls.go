package engine

import (
	"cmp"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// The sources of reports, in their order within a tick.
const (
	PublicCall     = "public_call"
	AutomaticAlarm = "automatic_alarm"
	VehicleSensor  = "vehicle_sensor"
)

// Origins are what is behind a report.
const (
	OfFire  = "fire"
	OfDecoy = "decoy"
	OfHoax  = "hoax"
)

// Contact is a report of people or alarms that was delivered, with what its
// payload withholds.
type Contact struct {
	ID                  string
	Source              string
	Occurred, Delivered int64
	Location            claim.Location
	Claim               claim.Claim
	Language            string // "" where the payload is the claim itself
	Text                string
	Label               claim.Label // what the payload says
	Origin              string      // what is behind it
	Building            int         // where that is; its number
	Heads               int64       // who is really inside
}

// calls are the reports that are on their way, and what was said so far.
type calls struct {
	seeing  []call     // whose callers have not looked yet
	waiting []*Contact // that are not delivered yet
	named   []bool     // buildings that a delivered contact has named
	count   int64
	now     []*Contact // of this tick
	told    []*Contact // so far
}

// call is one caller, or alarm, with everything that chance decides about it.
type call struct {
	building int
	number   int64 // of the caller among those of the building or decoy, and so of its words
	occurred int64
	delay    int64
	drawn    drawn
	origin   string
	kind     decoyKind // of a decoy
}

// drawn is what chance decides about a caller. Everything is drawn for each, in
// this order, also what is not used.
type drawn struct {
	wrong         bool
	nth           int64 // which of the neighbours is named in place of it
	coordinates   bool
	jitter        geo.Point
	reliability   claim.Reliability
	knows         knowing
	over          int64
	contradicts   bool
	invented      int64
	shift         int64
	saysFire      bool
	confirmed     bool
	tellsEnd      bool
	more          bool // evidence than smoke
	confidence    [3]int64
	language      string
	near          bool
	pretended     claim.Severity // of what is no fire
	pretendedMore int64          // people there
}

// knowing is what a caller knows of the people inside.
type knowing int

const (
	nothing knowing = iota
	exactly
	tooMany
	tooFew
)

// reliabilities and severities are in the order of their weights.
var (
	reliabilities = [...]claim.Reliability{claim.Doubtful, claim.Usual, claim.Trusted}
	severities    = [...]claim.Severity{claim.Low, claim.Medium, claim.High}
)

// maxJitter is how far a caller's coordinates are off, each way.
const maxJitter = 150

// draw decides about one caller.
func draw(s *stream.Stream, t *Template) (see, delay int64, d drawn) {
	see, delay = s.Range(t.See[0], t.See[1]), int64(s.Pick(t.Delay...))
	d.wrong, d.nth = s.Permille(t.WrongAddress), s.N(3)
	d.coordinates = s.Permille(t.Coordinates)
	d.jitter.X, d.jitter.Y = s.Range(-maxJitter, maxJitter), s.Range(-maxJitter, maxJitter)
	d.reliability = reliabilities[s.Pick(2, 5, 3)]
	d.knows, d.over = knowing(s.Pick(45, 25, 15, 15)), s.Range(1, 2)
	d.contradicts, d.invented = s.Permille(t.Contradiction), s.Range(1, 3)
	d.shift = int64(s.Pick(1, 6, 1)) - 1
	d.saysFire, d.confirmed, d.tellsEnd, d.more = s.Permille(750), s.Permille(400), s.Permille(500), s.Permille(500)
	for i := range d.confidence {
		d.confidence[i] = s.N(3)
	}
	d.language = "en"
	if s.Permille(t.Polish) {
		d.language = "pl"
	}
	d.near = s.Permille(500)
	d.pretended, d.pretendedMore = severities[s.Pick(4, 4, 2)], int64(s.Pick(300, 250, 200, 120, 80, 50))
	return see, delay, d
}

// callStep is how far apart the words of the callers of one building are from
// those of the next, and decoyWords where those of decoys begin.
const (
	callStep   = 16
	decoyWords = 1 << 20
)

// called decides who will report a fire that has just begun.
func (e *Episode) called(n int) {
	t := e.scenario.Template
	s := stream.New(e.seed, "calls", int64(n)+1, 0)
	for caller := range int64(s.Pick(t.Callers...)) + 1 {
		see, delay, d := draw(s, t)
		e.calls.seeing = append(e.calls.seeing, call{
			building: n, number: (int64(n)+1)*callStep + caller, occurred: e.tick + see, delay: delay, drawn: d, origin: OfFire,
		})
	}
	alarm := stream.New(e.seed, "alarm", int64(n)+1, 0)
	if fitted, sounds := alarm.Permille(fittings[e.city.Buildings[n].Class]), e.tick+1+alarm.N(2); fitted {
		e.alarm(n, sounds, OfFire)
	}
}

// fittings are the permille of buildings with an alarm, by class.
var fittings = [...]int64{city.Masonry: 300, city.Mixed: 250, city.Timber: 150, city.Industrial: 800}

// alarm lets an alarm sound at a tick.
func (e *Episode) alarm(n int, tick int64, origin string) {
	alarm := &Contact{
		Source: AutomaticAlarm, Occurred: tick, Delivered: tick, Location: claim.Location{Building: n + 1},
		Claim: claim.Claim{
			Type: claim.Unknown, Headcount: &claim.Heads{Qualifier: claim.UnknownHeads, Confidence: 1},
			EventTime: claim.Moment{Tick: tick, Confidence: 10}, Source: claim.Trusted, Evidence: []claim.Evidence{claim.Alarm},
		},
		Origin: origin, Building: n + 1,
	}
	alarm.Label = alarm.Claim.Label()
	e.calls.waiting = append(e.calls.waiting, alarm)
}

// deliver lets those look whose tick it is, and delivers what is due.
func (e *Episode) deliver() {
	c := &e.calls
	c.now = c.now[:0]
	c.seeing = slices.DeleteFunc(c.seeing, func(p call) bool {
		if p.occurred > e.tick {
			return false
		}
		if contact := e.report(&p); contact != nil {
			c.waiting = append(c.waiting, contact)
		}
		return true
	})
	c.waiting = slices.DeleteFunc(c.waiting, func(contact *Contact) bool {
		if contact.Delivered > e.tick {
			return false
		}
		c.now = append(c.now, contact)
		return true
	})
	// Callers of one building stand in their order already.
	slices.SortStableFunc(c.now, func(a, b *Contact) int {
		return cmp.Or(cmp.Compare(a.Occurred, b.Occurred), -cmp.Compare(a.Source, b.Source), cmp.Compare(a.Building, b.Building))
	})
	for _, contact := range c.now {
		contact.ID = e.nextContact()
		if b := contact.Location.Building; b > 0 {
			c.named[b-1] = true
		}
	}
	c.told = append(c.told, c.now...)
}

// Delivered are the reports of people and alarms of this tick.
func (e *Episode) Delivered() []*Contact { return e.calls.now }

// Told are the reports of people and alarms of this tick and all before it, in
// the order in which they came.
func (e *Episode) Told() []*Contact { return e.calls.told }

// report is what a caller reports of what there is to see, or nil.
func (e *Episode) report(p *call) *Contact {
	h, d := &e.houses[p.building], &p.drawn
	said := claim.Claim{Source: d.reliability, EventTime: claim.Moment{Tick: p.occurred, Confidence: 8 + d.confidence[2]}}
	inside := heads(h.people)
	switch {
	case p.origin != OfFire:
		if h.burned {
			return nil // it is no decoy any more
		}
		pretend(&said, p)
	case h.status == Burning:
		uncrewed := h.fire.countdown(e.city.Buildings[p.building].Class, h.size, 0)
		describe(&said, d, grade(uncrewed.Collapse, d.shift), inside)
	case e.scenario.Template.Stage >= 3 && d.tellsEnd:
		said.Type, said.Negations = claim.None, []claim.Negation{claim.Out}
	default:
		return nil
	}
	contact := &Contact{
		Source: PublicCall, Occurred: p.occurred, Delivered: p.occurred + p.delay, Location: e.located(p.building, d), Claim: said,
		Origin: p.origin, Building: p.building + 1, Heads: inside,
	}
	if !e.scenario.Template.Text {
		contact.Label = contact.Claim.Label()
	} else {
		contact.Language = d.language
		contact.Text, contact.Label = speech.Render(stream.New(e.seed, "render", p.number, 0), d.language, speech.B, speech.Call{
			Claim: &contact.Claim, Location: contact.Location, Delivered: contact.Delivered,
		})
	}
	return contact
}
