package baseline_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/baseline"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

var (
	long   = flag.Bool("long", false, "play the 40 seeds of the published table, and compare it")
	update = flag.Bool("update", false, "write the published table anew; needs -long")
)

// The block of seeds of the published table.
const firstSeed, seeds = 51001, 40

func silent() error { return nil }

// play gives the summaries of the baselines on every scenario, in their order.
func play(t *testing.T, seeds int64) map[string][]baseline.Summary {
	t.Helper()
	found := map[string][]baseline.Summary{}
	for _, s := range engine.Scenarios() {
		for _, policy := range []string{"none", "greedy", "people"} {
			sum, err := baseline.Block(policy, s, firstSeed, seeds, silent)
			if err != nil {
				t.Fatal(err)
			}
			found[s.ID] = append(found[s.ID], sum)
		}
	}
	return found
}

// People lose less than greedy, and greedy less than none, over all maps of a
// stage; and greedy loses more with every stage.
//
// clause: S-34
func TestLadder(t *testing.T) {
	t.Parallel()
	found := play(t, 5)
	var losses [6][3]float64 // by stage and policy
	for _, s := range engine.Scenarios() {
		for policy, sum := range found[s.ID] {
			losses[s.Template.Stage][policy] += sum.Loss.Mean
		}
	}
	for stage := 1; stage < len(losses); stage++ {
		none, greedy, people := losses[stage][0], losses[stage][1], losses[stage][2]
		if none <= greedy || greedy <= people || greedy <= losses[stage-1][1] {
			t.Errorf("stage %d: none, greedy and people lose %v, and those of the stage before %v", stage, losses[stage], losses[stage-1])
		}
	}
}

// The published table is what is measured, and every map has its ladder.
//
// clause: S-34
func TestTable(t *testing.T) {
	if !*long {
		t.Skip("needs -long")
	}
	t.Parallel()
	found := play(t, seeds)
	before := map[string]float64{}
	var table strings.Builder
	table.WriteString("| Scenario | none | greedy | people |\n|---|---|---|---|\n")
	for _, s := range engine.Scenarios() {
		sums := found[s.ID]
		none, greedy, people := sums[0].Loss.Mean, sums[1].Loss.Mean, sums[2].Loss.Mean
		if none <= greedy || greedy <= people {
			t.Errorf("%s: none, greedy and people lose %v, %v and %v", s.ID, none, greedy, people)
		}
		if greedy <= before[s.MapID] {
			t.Errorf("%s: greedy loses %v, and %v on the stage before", s.ID, greedy, before[s.MapID])
		}
		before[s.MapID] = greedy
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", s.ID, cell(sums[0]), cell(sums[1]), cell(sums[2]))
	}
	compareTable(t, table.String())
}

func cell(s baseline.Summary) string {
	return fmt.Sprintf("%.1f ± %.1f (%.2f / %.2f)", s.Loss.Mean, s.Loss.Deviation, s.Casualties.Mean, s.Lost.Mean)
}

// compareTable holds the table of the page against one, or writes it there.
func compareTable(t *testing.T, table string) {
	const page, begin, end = "../../../docs/simulator/baselines.md", "<!-- table -->\n", "<!-- end of table -->"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), begin)
	published, tail, whole := strings.Cut(rest, end)
	if !ok || !whole {
		t.Fatalf("%s has no place for the table", page)
	}
	if published == table {
		return
	}
	if !*update {
		t.Errorf("%s is not what is measured: go test ./services/simulator/baseline -long -update\n%s", page, table)
		return
	}
	if err := os.WriteFile(page, []byte(head+begin+table+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A policy that is not there is an error that names those that are.
func TestUnknownPolicy(t *testing.T) {
	t.Parallel()
	s, _ := engine.Find("stage1-basic@londone")
	_, err := baseline.Block("best", s, 1, 1, silent)
	if err == nil || !strings.Contains(err.Error(), "people") || !slices.Contains(baseline.Names(), "people") {
		t.Error(err)
	}
}
