package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// burn lets a fire of a class and size burn for so many ticks.
func burn(class city.Class, size int64, ticks, crew int) (f fire, status Status) {
	f = ignite(class)
	status = Burning
	for range ticks {
		status = f.step(class, size, crew)
	}
	return f, status
}

// The vectors of the mechanics: fires that nobody fights.
func TestFireAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		class             city.Class
		ticks             int
		intensity, damage int64
		status            Status
	}{
		{city.Mixed, 1, 48, 48, Burning}, {city.Mixed, 2, 108, 156, Burning}, {city.Mixed, 3, 192, 348, Burning},
		{city.Mixed, 4, 300, 648, Burning}, {city.Mixed, 5, 432, 1080, Burning}, {city.Mixed, 10, 1452, 6060, Burning},
		{city.Mixed, 20, 5292, 39720, Burning}, {city.Mixed, 30, 11532, 124980, Burning}, {city.Mixed, 49, 30000, 515088, Collapsed},
		{city.Timber, 1, 80, 80, Burning}, {city.Timber, 5, 720, 1800, Burning}, {city.Timber, 10, 2420, 10100, Burning},
		{city.Timber, 20, 8820, 66200, Burning}, {city.Timber, 30, 19220, 208300, Burning}, {city.Timber, 35, 25920, 324100, Collapsed},
	} {
		f, status := burn(c.class, 200, c.ticks, 0)
		if f.intensity != c.intensity || f.damage != c.damage || status != c.status {
			t.Errorf("%v after %d: %d/%d %v, want %d/%d %v", c.class, c.ticks, f.intensity, f.damage, status, c.intensity, c.damage, c.status)
		}
	}
	for class, want := range map[city.Class][3]int64{
		city.Masonry: {52, 69, 111}, city.Mixed: {37, 49, 78}, city.Timber: {25, 35, 55}, city.Industrial: {20, 27, 44},
	} {
		for i, size := range []int64{80, 200, 800} {
			if got := ignite(class).countdown(class, size, 0); got != (Countdown{-1, want[i]}) {
				t.Errorf("%v of %d: %v, want a collapse after %d", class, size, got, want[i])
			}
		}
	}
}

// The vectors of the mechanics: a crew comes at age 10.
func TestFireFought(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		class city.Class
		crew  int
		steps [][2]int64 // intensity and damage; the last is over
		out   int64
	}{
		"mixed, one":    {city.Mixed, 1, [][2]int64{{1248, 7308}, {1024, 8332}, {776, 9108}, {500, 9608}, {186, 9794}}, 6},
		"mixed, two":    {city.Mixed, 2, [][2]int64{{816, 6876}, {112, 6988}}, 3},
		"mixed, three":  {city.Mixed, 3, [][2]int64{{480, 6540}}, 2},
		"mixed, four":   {city.Mixed, 4, [][2]int64{{480, 6540}}, 2},
		"timber, two":   {city.Timber, 2, nil, 5},
		"timber, three": {city.Timber, 3, nil, 3},
	} {
		f, _ := burn(c.class, 200, 10, 0)
		if got := f.countdown(c.class, 200, c.crew); got != (Countdown{c.out, -1}) {
			t.Errorf("%s: %v, want out after %d", name, got, c.out)
		}
		for i, want := range c.steps {
			f.step(c.class, 200, c.crew)
			if got := [2]int64{f.intensity, f.damage}; got != want {
				t.Errorf("%s: after %d: %v, want %v", name, i+1, got, want)
			}
		}
	}
	f, _ := burn(city.Timber, 200, 10, 0)
	var intensities []int64
	status, n := Burning, 0
	for status == Burning {
		status = f.step(city.Timber, 200, 1)
		if n++; n <= 5 {
			intensities = append(intensities, f.intensity)
		}
	}
	if diff := cmp.Diff([]int64{2400, 2378, 2354, 2326, 2296}, intensities); diff != "" || n != 27 || f.damage != 53832 {
		t.Errorf("timber, one: out after %d with %d %s", n, f.damage, diff)
	}
}

// The vectors of the mechanics: countdowns of timber by age and crew.
func TestCountdowns(t *testing.T) {
	t.Parallel()
	e := func(n int64) Countdown { return Countdown{n, -1} }
	c := func(n int64) Countdown { return Countdown{-1, n} }
	for age, want := range map[int][4]Countdown{
		0: {c(35), e(1), e(1), e(1)}, 5: {c(30), e(3), e(2), e(1)}, 10: {c(25), e(27), e(5), e(3)}, 15: {c(20), c(29), e(13), e(7)},
		20: {c(15), c(18), c(33), e(15)}, 25: {c(10), c(11), c(13), c(16)}, 30: {c(5), c(5), c(5), c(5)},
	} {
		f, _ := burn(city.Timber, 200, age, 0)
		for crew := range want {
			if got := f.countdown(city.Timber, 200, crew); got != want[crew] {
				t.Errorf("age %d, crew %d: %v, want %v", age, crew, got, want[crew])
			}
		}
	}
	for class, want := range map[city.Class][3]int{
		city.Masonry: {37, 52, 57}, city.Mixed: {18, 31, 36}, city.Timber: {10, 19, 23}, city.Industrial: {5, 12, 16},
	} {
		for crew := 1; crew <= 3; crew++ {
			last := 0
			for age := range 70 {
				if f, status := burn(class, 200, age, 0); status != Collapsed && f.countdown(class, 200, crew).Extinguish > 0 {
					last = age
				}
			}
			if last != want[crew-1] {
				t.Errorf("%v: a crew of %d wins up to age %d, want %d", class, crew, last, want[crew-1])
			}
		}
	}
}

// The vectors of the mechanics: what reaches a neighbour.
func TestSpreadVectors(t *testing.T) {
	t.Parallel()
	for gap, want := range map[int64]int64{0: 1000, 20: 444, 40: 250, 80: 111, 150: 44} {
		if got := weight(gap); got != want {
			t.Errorf("weight(%d) = %d, want %d", gap, got, want)
		}
	}
	w := Wind{geo.Point{X: 707, Y: 707}, 700}
	for _, c := range []struct {
		offset      geo.Point
		distance, f int64
	}{
		{geo.Point{X: 200}, 200, 1494}, {geo.Point{X: -200}, 200, 506}, {geo.Point{X: 141, Y: 141}, 199, 1700}, {geo.Point{X: 100, Y: -173}, 200, 820},
	} {
		if d := geo.Dist(geo.Point{}, c.offset); d != c.distance || w.factor(c.offset, d) != c.f {
			t.Errorf("%v: %d, %d, want %d, %d", c.offset, d, w.factor(c.offset, d), c.distance, c.f)
		}
	}
	for name, c := range map[string]struct {
		from, to    city.Class
		gap, factor int64
		after, heat int64 // after 0: never
	}{
		"mixed to mixed":           {city.Mixed, city.Mixed, 40, 1000, 40, 42136},
		"timber to timber":         {city.Timber, city.Timber, 40, 1000, 27, 25845},
		"timber, with the wind":    {city.Timber, city.Timber, 40, 1700, 22, 26016},
		"timber, against the wind": {city.Timber, city.Timber, 40, 300, 0, 9056},
		"timber, far":              {city.Timber, city.Timber, 80, 1000, 0, 18372},
		"timber, far, with it":     {city.Timber, city.Timber, 80, 1700, 30, 25446},
		"mixed to masonry":         {city.Mixed, city.Masonry, 20, 1000, 37, 60353},
	} {
		f, heat, after := ignite(c.from), int64(0), int64(0)
		for n := int64(1); after == 0; n++ {
			if f.step(c.from, 200, 0) != Burning {
				break
			}
			heat = warmer(heat, f.intensity*(weight(c.gap)*c.factor)/1000000, c.to)
			if heat >= materials[c.to].ignition {
				after = n
			}
		}
		if after != c.after || heat != c.heat {
			t.Errorf("%s: after %d with %d, want %d with %d", name, after, heat, c.after, c.heat)
		}
	}
}

// The vectors of the mechanics: who is at home.
func TestOccupants(t *testing.T) {
	t.Parallel()
	for number, want := range map[int64][]person{
		41: {}, 1: {{tolerance: 6353, leave: 6}}, 69: {{tolerance: 10690, leave: 7}},
		3: {{tolerance: 20098, leave: 6, trapped: true}, {tolerance: 19706, leave: 3}},
	} {
		got := occupants(51001, number, city.Mixed)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(person{})); diff != "" {
			t.Errorf("l%d: %s", number, diff)
		}
	}
}
