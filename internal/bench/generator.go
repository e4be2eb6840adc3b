package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/pharos-mcp/pharos/internal/measure"
)

// The goals of the generator.
const (
	timeGoal   = 3    // times the reference
	memoryGoal = 2048 // MiB
	linesGoal  = 20   // of catalog, inputs and dispatch, for an operation
)

// largest is the document that everything is measured on.
const largest = "@octokit/openapi/generated/api.github.com.json"

// generator measures mcpgen on the largest document: a generation, a check and
// the reference in turn, as often as rounds says. The project stays as the last
// generation made it.
func generator(ctx context.Context, p *project, rounds int, stdout io.Writer) ([]goal, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var generate, reference, check series
	for round := range rounds {
		// Every generation starts from nothing, so that it writes all its files.
		if err := os.RemoveAll(filepath.Join(p.dir, "generated")); err != nil {
			return nil, err
		}
		for _, next := range []struct {
			to      *series
			program string
			args    []string
		}{
			{&generate, p.mcpgen, []string{"generate"}},
			{&reference, self, []string{"-reference", p.bundle}},
			{&check, p.mcpgen, []string{"check"}},
		} {
			took, err := p.run(ctx, next.program, next.args...)
			if err != nil {
				return nil, err
			}
			*next.to = append(*next.to, took)
		}
		fmt.Fprintf(stdout, "round %d: generate %s, reference %s, check %s\n", round+1,
			describe(generate[round]), describe(reference[round]), describe(check[round]))
	}
	lines, err := linesEach(filepath.Join(p.dir, "generated", p.catalog))
	if err != nil {
		return nil, err
	}
	return []goal{
		{name: "mcpgen-generate-time", measured: generate.cpu() / reference.cpu(), bound: timeGoal, unit: "x"},
		{name: "mcpgen-generate-memory", measured: generate.peak(), bound: memoryGoal, unit: "MiB"},
		{name: "mcpgen-check-time", measured: check.cpu() / reference.cpu(), bound: timeGoal, unit: "x"},
		{name: "mcpgen-check-memory", measured: check.peak(), bound: memoryGoal, unit: "MiB"},
		{name: "mcpgen-lines-an-operation", measured: lines, bound: linesGoal},
	}, nil
}

// series is the same command, several times.
type series []measure.Run

// cpu is the median processor time in seconds.
func (s series) cpu() float64 {
	var all []float64
	for _, r := range s {
		all = append(all, r.CPU.Seconds())
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// peak is the largest resident size in MiB.
func (s series) peak() float64 {
	var most int64
	for _, r := range s {
		most = max(most, r.Peak)
	}
	return float64(most) / (1 << 20)
}

func describe(r measure.Run) string {
	return fmt.Sprintf("%.1f s (%.1f s of processor, %d MiB)", r.Took.Seconds(), r.CPU.Seconds(), r.Peak>>20)
}

// linesEach is the generated lines of catalog, inputs and dispatch for each of
// the catalog's tools.
func linesEach(dir string) (float64, error) {
	tools, err := filepath.Glob(filepath.Join(dir, "schemas", "*.json"))
	if err != nil || len(tools) == 0 {
		return 0, fmt.Errorf("%s holds no tools", dir)
	}
	lines := 0
	for _, name := range []string{"catalog.go", "inputs.go", "dispatch.go"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return 0, err
		}
		lines += bytes.Count(data, []byte("\n"))
	}
	return float64(lines) / float64(len(tools)), nil
}
