package city_test

import (
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// What is wrong with a map is said, all of it.
func TestRead(t *testing.T) {
	t.Parallel()
	const good = `{"id":"x","width":2000,"height":2000,"nodes":[[100,100],[1100,100]],"edges":[[0,1]],"depots":[[0,500]],
		"buildings":[{"point":[500,250],"footprint":[[450,200],[550,200],[550,300],[450,300]],"floors":1,"class":"mixed"}]}`
	house := `{"point":[500,250],"footprint":[[450,200],[550,200],[550,300],[450,300]],"floors":1,"class":"mixed"}`
	for name, c := range map[string]struct{ old, new, want string }{
		"as it is":                  {"", "", ""},
		"an unknown member":         {`"id"`, `"name":"","id"`, "unknown field"},
		"something behind":          {`"mixed"}]}`, `"mixed"}]} 1`, "something behind"},
		"no map":                    {`{"id"`, `["id"`, "invalid character"},
		"an unknown class":          {"mixed", "straw", `l1 is of the unknown class "straw"`},
		"no width":                  {`"width":2000`, `"width":0`, "the map is 0 × 2000"},
		"too wide":                  {`"width":2000`, `"width":100001`, "the map is 100001 × 2000"},
		"no roads":                  {`[[0,1]]`, `[]`, "0 roads"},
		"no depots":                 {`[[0,500]]`, `[]`, "0 depots"},
		"a road to nowhere":         {`[[0,1]]`, `[[0,2]]`, "e1 does not join two nodes"},
		"a road to itself":          {`[[0,1]]`, `[[1,1]]`, "e1 does not join two nodes"},
		"a road that is too long":   {`[1100,100]`, `[2000,900],[100,1000],[100,1999]`, "e1 is 2062 long"},
		"a road without a length":   {`[1100,100]`, `[100,100]`, "e1 is 0 long"},
		"a city in two":             {`[1100,100]]`, `[1100,100],[5,5]]`, "node 2 has no way to node 0"},
		"a node off the map":        {`[1100,100]`, `[1100,-1]`, "node 1 is outside of the map"},
		"a depot off the road":      {`[[0,500]]`, `[[0,1001]]`, "depot 1 is not on a road"},
		"a depot on no road":        {`[[0,500]]`, `[[1,0]]`, "depot 1 is not on a road"},
		"a house off the map":       {`[450,200],[550,200]`, `[450,-1],[550,-1]`, "l1 is not wholly on the map"},
		"a house turned round":      {`[450,200],[550,200],[550,300],[450,300]`, `[450,300],[550,300],[550,200],[450,200]`, "l1 is not convex"},
		"a house with a dent":       {`[550,300]`, `[470,220]`, "l1 is not convex"},
		"a house of two corners":    {`[450,200],[550,200],[550,300],[450,300]`, `[450,200],[550,200]`, "l1 is not convex"},
		"a house too small":         {`[450,200],[550,200],[550,300],[450,300]`, `[450,200],[455,200],[455,205],[450,205]`, "l1 covers no ground"},
		"no floor":                  {`"floors":1`, `"floors":0`, "l1 has 0 floors"},
		"too many floors":           {`"floors":1`, `"floors":21`, "l1 has 21 floors"},
		"far from any road":         {`[500,250]`, `[500,451]`, "l1 is 351 from a road"},
		"two houses at one place":   {house, house + "," + house, "l1 and l2 overlap"},
		"two houses with one wall":  {house, house + "," + strings.ReplaceAll(strings.ReplaceAll(house, "550", "650"), "450", "550"), "l1 and l2 overlap"},
		"two houses a tenth apart":  {house, house + "," + strings.ReplaceAll(strings.ReplaceAll(house, "550", "651"), "450", "551"), ""},
		"just near enough to roads": {`[500,250]`, `[500,450]`, ""},
	} {
		text := good
		if c.old != "" {
			if !strings.Contains(good, c.old) {
				t.Fatalf("%s: the map has no %q", name, c.old)
			}
			text = strings.Replace(good, c.old, c.new, 1)
		}
		_, err := city.Read([]byte(text))
		if (err == nil) != (c.want == "") || (err != nil && !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := city.Read(make([]byte, city.MaxFile+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a file that is too large: %v", err)
	}
}

// Gaps and overlaps of footprints.
func TestShapes(t *testing.T) {
	t.Parallel()
	rectangle := func(x, y, w, h int64) []geo.Point {
		return []geo.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}
	}
	p := rectangle(0, 0, 100, 100)
	for name, c := range map[string]struct {
		q   []geo.Point
		gap int64 // −1: they touch
	}{
		"beside":       {rectangle(140, 20, 10, 10), 40},
		"at a corner":  {rectangle(130, 140, 10, 10), 50},
		"behind":       {rectangle(-500, 0, 350, 10), 150},
		"a diamond":    {[]geo.Point{{X: 150, Y: 50}, {X: 200, Y: 0}, {X: 250, Y: 50}, {X: 200, Y: 100}}, 50},
		"wall to wall": {rectangle(100, 0, 10, 100), -1},
		"inside":       {rectangle(10, 10, 10, 10), -1},
		"across":       {rectangle(-10, 40, 200, 10), -1},
	} {
		disjoint := city.Disjoint(p, c.q)
		if disjoint != city.Disjoint(c.q, p) || disjoint != (c.gap >= 0) {
			t.Errorf("%s: disjoint %v", name, disjoint)
		}
		if got := city.Gap(p, c.q); disjoint && (got != c.gap || city.Gap(c.q, p) != got) {
			t.Errorf("%s: gap %d, want %d", name, got, c.gap)
		}
	}
	if got := city.Area(rectangle(0, 0, 145, 100)); got != 145 {
		t.Errorf("area %d, want 145", got)
	}
}
