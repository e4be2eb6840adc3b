package osm_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/city/osm"
)

// village is a piece of the earth that was made up for the tests.
func village(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/village.osm")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A piece of the earth becomes a map that a game can be played on, and the
// report says what does not become part of it.
func TestImport(t *testing.T) {
	t.Parallel()
	m, report, err := osm.Import(strings.NewReader(village(t)), "village")
	if err != nil {
		t.Fatal(err)
	}
	want := osm.Report{
		Roads: 7, Buildings: 7, Depots: 7, Unconnected: 1, Unreached: 1, Overlapping: 1, Formless: 2, Relations: 1, Torn: 1,
	}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if problems := m.Validate(); len(problems) > 0 {
		t.Errorf("%q", problems)
	}
	classes, floors := map[city.Class]int{}, map[int64]int{}
	for _, b := range m.Buildings {
		classes[b.Class]++
		floors[b.Floors]++
	}
	if diff := cmp.Diff(map[city.Class]int{city.Masonry: 1, city.Mixed: 4, city.Timber: 1, city.Industrial: 1}, classes); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int64]int{1: 1, 2: 4, 4: 1, 20: 1}, floors); diff != "" {
		t.Errorf("floors (-want +got):\n%s", diff)
	}
	again, err := city.Read(m.Encode())
	if err != nil || !bytes.Equal(again.Encode(), m.Encode()) {
		t.Errorf("the map is another one when it is read again: %v", err)
	}
}

// What is no piece of the earth, or too large a one, is refused.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	var star strings.Builder // a road with more bends than a map has
	star.WriteString("<osm>")
	for i := range 1300 {
		fmt.Fprintf(&star, `<node id="%d" lat="%f" lon="%f"/>`, i+1, 50+float64(i)*0.0005, 10+float64(i%2)*0.0005)
	}
	for i := range 1299 {
		fmt.Fprintf(&star, `<way id="%d"><nd ref="%d"/><nd ref="%d"/><tag k="highway" v="service"/></way>`, i+1, i+1, i+2)
	}
	star.WriteString("</osm>")
	road := `<node id="1" lat="50" lon="10"/><node id="2" lat="50.001" lon="10"/><way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="service"/></way>`
	for name, c := range map[string]struct{ text, id, want string }{
		"another format":     {`{"type":"FeatureCollection"}`, "x", "no OpenStreetMap"},
		"nothing":            {"", "x", "no OpenStreetMap"},
		"another root":       {"<gpx></gpx>", "x", "begins with <gpx>"},
		"torn":               {"<osm><node id=", "x", "EOF"},
		"a node nowhere":     {`<osm><node id="7" lat="91" lon="0"/></osm>`, "x", "node 7 is nowhere"},
		"not a number":       {`<osm><node id="7" lat="NaN" lon="0"/></osm>`, "x", "node 7 is nowhere"},
		"no road":            {`<osm><node id="7" lat="50" lon="0"/></osm>`, "x", "no road"},
		"no house":           {"<osm>" + road + "</osm>", "x", "no building"},
		"too many bends":     {star.String(), "x", "more than 1200"},
		"a way without end":  {"<osm><way id=\"3\">" + strings.Repeat(`<nd ref="1"/>`, 2001) + "</way></osm>", "x", "more than 2000"},
		"an id with a slash": {village(t), "../x", "id of a map"},
		"too large":          {"<osm>" + strings.Repeat(" ", osm.MaxBytes) + "</osm>", "x", "bytes"},
	} {
		_, _, err := osm.Import(strings.NewReader(c.text), c.id)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
