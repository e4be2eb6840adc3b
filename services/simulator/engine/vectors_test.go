package engine

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// The vectors of the mechanics: how two episodes begin.
//
// clause: S-35
func TestFirstTickVectors(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/simulator/mechanics.md")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]struct {
		seed    int64
		burning []int
		due     []ignition
		winds   [2]Wind
	}{
		"stage1-basic@londone": {51001, []int{96, 142}, []ignition{{7, 224}}, [2]Wind{{Towards: geo.Point{Y: -1000}}, {Towards: geo.Point{Y: 1000}}}},
		"stage5-babel@londone": {
			55001, []int{447, 467, 499},
			[]ignition{{1, 49}, {6, 725}, {6, 33}, {8, 345}, {11, 648}, {26, 277}, {29, 498}, {55, 249}, {59, 577}},
			[2]Wind{{geo.Point{X: -707, Y: -707}, 700}, {geo.Point{Y: 1000}, 700}},
		},
	} {
		e := begun(t, id, want.seed)
		if diff := cmp.Diff(want.burning, e.blazes) + cmp.Diff(want.due, e.due, cmp.AllowUnexported(ignition{})); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
		if got := [2]Wind{e.wind, e.turned}; got != want.winds {
			t.Errorf("%s: the wind is %v", id, got)
		}
		if sum := fmt.Sprintf("`%x`", sha256.Sum256(e.Observation())); !strings.Contains(string(page), sum) {
			t.Errorf("%s: the observation of tick 0 has the digest %s, which the page does not have", id, sum)
		}
	}
}
