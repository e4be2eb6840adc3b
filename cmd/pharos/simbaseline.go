package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/baseline"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

const simBaselineUsage = `usage: pharos sim baseline [-json] [-scenarios TEXT] [-seed-base N] [-seeds N] POLICY…

Plays scenarios by simple policies, with the same block of seeds for each, and
prints the mean and the standard deviation of what they lose: 100 for a casualty
and 10 for a building.

  POLICY        none, greedy, people, or oracle, which sees the truth
  -scenarios    only those whose id has TEXT in it
  -seed-base    the first seed, 51001 by default; choose another for seeds that
                nobody has seen
  -seeds        how many, 40 by default
`

// mostSeeds bounds a block.
const mostSeeds = 100_000

// playBaselines is `pharos sim baseline`.
func playBaselines(ctx context.Context, s simContext, args []string) error {
	flags := newFlags("sim baseline")
	asJSON := flags.Bool("json", false, "")
	only := flags.String("scenarios", "", "")
	first := flags.Int64("seed-base", 51001, "")
	seeds := flags.Int64("seeds", 40, "")
	if err := parseFlags(flags, args, simBaselineUsage); err != nil {
		return err
	}
	if err := checkBlock(*first, *seeds); err != nil {
		return err
	}
	policies, err := policiesNamed(flags.Args())
	if err != nil {
		return err
	}
	scenarios := scenariosWith(*only)
	if len(scenarios) == 0 {
		return usageError(fmt.Sprintf("no scenario has %q in its id", *only))
	}
	p := newProgress(s.stderr, len(scenarios)*len(policies)*int(*seeds))
	defer p.end()
	found := struct {
		Summaries []baseline.Summary `json:"summaries"`
	}{}
	var text strings.Builder
	fmt.Fprintf(&text, "%-24s %-8s %16s %16s %20s\n", "scenario", "policy", "casualties", "buildings lost", "loss")
	for _, scenario := range scenarios {
		for _, policy := range policies {
			sum, err := baseline.Block(policy, scenario, *first, *seeds, func() error {
				p.step(policy + " on " + scenario.ID)
				return ctx.Err()
			})
			if err != nil {
				return err
			}
			found.Summaries = append(found.Summaries, sum)
			fmt.Fprintf(&text, "%-24s %-8s %8.2f ± %5.2f %8.2f ± %5.2f %10.1f ± %7.1f\n", sum.ScenarioID, sum.Policy,
				sum.Casualties.Mean, sum.Casualties.Deviation, sum.Lost.Mean, sum.Lost.Deviation, sum.Loss.Mean, sum.Loss.Deviation)
		}
	}
	p.end()
	return s.report(*asJSON, found, text.String())
}

// checkBlock refuses a block with seeds that there are not.
func checkBlock(first, seeds int64) error {
	if seeds < 1 || seeds > mostSeeds {
		return usageError(fmt.Sprintf("-seeds is %d, not from 1 to %d", seeds, mostSeeds))
	}
	if first < 0 || first > engine.MaxSeed-seeds+1 {
		return usageError(fmt.Sprintf("-seed-base is %d, and its block is not from 0 to %d", first, int64(engine.MaxSeed)))
	}
	return nil
}

// policiesNamed holds names against those that there are.
func policiesNamed(given []string) ([]string, error) {
	if len(given) == 0 {
		return nil, usageError("sim baseline needs a POLICY: " + strings.Join(baseline.Names(), ", "))
	}
	for _, name := range given {
		if err := baseline.Known(name); err != nil {
			return nil, usageError(err.Error())
		}
	}
	return given, nil
}

func scenariosWith(text string) (found []engine.Scenario) {
	for _, scenario := range engine.Scenarios() {
		if strings.Contains(scenario.ID, text) {
			found = append(found, scenario)
		}
	}
	return found
}
