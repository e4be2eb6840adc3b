package engine

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
)

// told plays episodes in which nobody does anything, and gives their reports to
// a function.
func told(t *testing.T, templates []string, seeds int64, f func(*Contact)) {
	t.Helper()
	for i, template := range templates { // with seeds of its own, for the streams of decoys have no part in it
		for seed := range seeds {
			e := begun(t, template+"@londone", 700000+int64(i)*seeds+seed)
			for e.Lifecycle() == "running" && e.Tick() < 75 {
				e.Step()
			}
			for _, c := range e.Told() {
				f(c)
			}
		}
	}
}

// The words of a report say what its label says, and a report that can be read
// as a claim says all of it.
//
// clause: S-30, S-33
func TestLabels(t *testing.T) {
	t.Parallel()
	texts := 0
	told(t, []string{"stage1-basic", "stage2-voices", "stage3-echoes", "stage5-babel"}, 40, func(c *Contact) {
		want := c.Claim.Label()
		if c.Language != "" {
			texts++
			var err error
			if want, err = speech.Parse(c.Text, c.Language, speech.B, c.Delivered); err != nil {
				t.Fatalf("%v: %s", err, c.Text)
			}
		}
		if diff := cmp.Diff(want, c.Label); diff != "" {
			t.Fatalf("%s\n%s", c.Text, diff)
		}
	})
	if texts < 2000 {
		t.Errorf("only %d texts", texts)
	}
}

// share counts how often something is so.
type share struct{ yes, all float64 }

func (s *share) add(yes bool) {
	s.all++
	if yes {
		s.yes++
	}
}

// apart is by how many standard errors two shares differ.
func (s share) apart(o share) float64 {
	p := (s.yes + o.yes) / (s.all + o.all)
	return math.Abs(s.yes/s.all-o.yes/o.all) / math.Sqrt(p*(1-p)*(1/s.all+1/o.all))
}

// That a report says nothing of people, or that nobody knows of any, tells
// nothing about whether there is a fire, nor about whether people are in it:
// neither claims nor words do.
func TestSilenceTellsNothing(t *testing.T) {
	t.Parallel()
	const most = 3.5 // standard errors
	behind := []string{"a fire with people", "a fire without", "a decoy", "a hoax"}
	of := func(c *Contact) int {
		switch {
		case c.Origin == OfFire && c.Heads > 0:
			return 0
		case c.Origin == OfFire:
			return 1
		case c.Origin == OfDecoy:
			return 2
		default:
			return 3
		}
	}
	measures := []struct {
		name string
		of   func(*Contact) bool
	}{
		{"claims without a number", func(c *Contact) bool { return !c.Claim.Headcount.Known }},
		{"texts that say nothing of people", func(c *Contact) bool { return c.Label.Headcount == nil }},
		{"texts without a number of people", func(c *Contact) bool { return c.Label.Headcount == nil || !c.Label.Headcount.Known }},
		{"texts that say that nobody knows of people", func(c *Contact) bool {
			return c.Label.Headcount != nil && c.Label.Headcount.Qualifier == claim.UnknownHeads
		}},
		{"texts that do not say how bad it is", func(c *Contact) bool { return c.Label.Severity == "" }},
	}
	shares := make([][4]share, len(measures))
	told(t, []string{"stage3-echoes", "stage5-babel"}, 300, func(c *Contact) {
		if c.Source != PublicCall || c.Claim.Type == claim.None {
			return
		}
		for i, m := range measures {
			shares[i][of(c)].add(m.of(c))
		}
	})
	for i, m := range measures {
		s := shares[i]
		for j, thing := range behind {
			t.Logf("%s, of %s: %.3f of %.0f", m.name, thing, s[j].yes/s[j].all, s[j].all)
			if s[j].all < 1000 {
				t.Errorf("only %.0f of %s", s[j].all, thing)
			}
			for k := range j {
				if n := s[j].apart(s[k]); n > most {
					t.Errorf("%s: %s and %s are %.1f standard errors apart", m.name, behind[k], thing, n)
				}
			}
		}
	}
}

// Whether two callers of one thing give a point, and the same one, tells nothing
// about what it is.
func TestPointsTellNothing(t *testing.T) {
	t.Parallel()
	const most = 3.5 // standard errors
	type thing struct {
		origin string
		number int
	}
	var mixed, same [2]share // of fires, and of decoys and hoaxes
	before, last := map[thing]*Contact{}, int64(0)
	told(t, []string{"stage3-echoes", "stage5-babel"}, 300, func(c *Contact) {
		if c.Source != PublicCall {
			return
		}
		if c.Delivered < last { // another episode
			clear(before)
		}
		last = c.Delivered
		of := thing{c.Origin, c.Building}
		if b := before[of]; b != nil {
			i := 0
			if c.Origin != OfFire {
				i = 1
			}
			points := [2]bool{b.Location.Building == 0, c.Location.Building == 0}
			mixed[i].add(points[0] != points[1])
			if points[0] && points[1] {
				same[i].add(b.Location.Point == c.Location.Point)
			}
		}
		before[of] = c
	})
	for _, m := range [...]struct {
		name  string
		least float64
		of    [2]share
	}{{"one gives a point, the other a building", 1000, mixed}, {"both give the same point", 50, same}} {
		if m.of[0].all < m.least || m.of[1].all < m.least {
			t.Errorf("%s: only %.0f and %.0f pairs", m.name, m.of[0].all, m.of[1].all)
		}
		t.Logf("%s: %.3f of fires, %.3f of others", m.name, m.of[0].yes/m.of[0].all, m.of[1].yes/m.of[1].all)
		if n := m.of[0].apart(m.of[1]); n > most {
			t.Errorf("%s: fires and others are %.1f standard errors apart", m.name, n)
		}
	}
}
