package city_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/city/generate"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Every map is what its plan makes, and what is on record.
func TestMapsAreThoseOfTheGenerator(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile("maps/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	planned := generate.IDs()
	slices.Sort(planned)
	if diff := cmp.Diff(slices.Sorted(slices.Values(city.IDs())), planned); diff != "" {
		t.Errorf("maps and plans: %s", diff)
	}
	for _, id := range city.IDs() {
		committed, err := os.ReadFile("maps/" + id + ".json")
		if err != nil {
			t.Fatal(err)
		}
		m, _ := generate.Make(id)
		if !bytes.Equal(m.Encode(), committed) {
			t.Errorf("%s is not what the generator makes: run go generate ./services/simulator/city", id)
		}
		digest := sha256.Sum256(committed)
		text := hex.EncodeToString(digest[:])
		if city.SHA256(id) != text || !bytes.Contains(sums, []byte(text+"  "+id+".json\n")) {
			t.Errorf("%s has the digest %s, which is not on record", id, text)
		}
	}
	if _, ok := city.Load("atlantis"); ok || city.SHA256("atlantis") != "" {
		t.Error("there is a map of Atlantis")
	}
}

// What a game on any of the maps relies on.
func TestMapsAreGood(t *testing.T) {
	t.Parallel()
	for _, id := range city.IDs() {
		m, ok := city.Load(id)
		if !ok {
			t.Fatalf("no map %s", id)
		}
		if problems := m.Validate(); len(problems) > 0 {
			t.Errorf("%s: %q", id, problems)
		}
		if len(m.Buildings) < 450 || len(m.Depots) < 10 {
			t.Errorf("%s has %d buildings and %d depots", id, len(m.Buildings), len(m.Depots))
		}
		densest, neighbours, classes := 0, 0, map[string]int{}
		var access int64
		for _, b := range m.Buildings {
			densest = max(densest, len(m.Near(nil, b.Point, 800)))
			neighbours += len(b.Neighbours)
			classes[b.Class.String()]++
			_, d := m.Snap(b.Point)
			access = max(access, d)
		}
		longest := int64(0)
		for i := range m.Edges {
			for j := range m.Edges {
				longest = max(longest, m.Route(city.Place{Edge: i}, city.Place{Edge: j, Offset: m.Edges[j].Length}).Total)
			}
		}
		t.Logf("%s: %d × %d, %d nodes, %d roads, %d buildings %v, %.1f neighbours, densest view %d, longest way %d ticks, access %d",
			id, m.Width, m.Height, len(m.Nodes), len(m.Edges), len(m.Buildings), classes,
			float64(neighbours)/float64(len(m.Buildings)), densest, (longest+799)/800, access)
		if longest > 40*800 || m.Width > 16000 || m.Height > 16000 {
			t.Errorf("%s is too wide: the longest way is %d", id, longest)
		}
		if densest > 40 {
			t.Errorf("%s shows a truck up to %d buildings at once", id, densest)
		}
	}
}

// The number of a building says nothing of where it stands.
func TestNumbersSayNothing(t *testing.T) {
	t.Parallel()
	for _, id := range city.IDs() {
		m, _ := city.Load(id)
		near := 0
		for i := range m.Buildings[1:] {
			if geo.Dist(m.Buildings[i].Point, m.Buildings[i+1].Point) < 1000 {
				near++
			}
		}
		if near*10 > len(m.Buildings) {
			t.Errorf("%s: %d of %d buildings stand near the next number", id, near, len(m.Buildings))
		}
	}
}

// A map that is read and written again is the same.
func TestEncode(t *testing.T) {
	t.Parallel()
	for _, id := range city.IDs() {
		m, _ := city.Load(id)
		again, err := city.Read(m.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(m.Encode(), again.Encode()) {
			t.Errorf("%s changes when it is read and written", id)
		}
	}
}
