package baseline

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

func TestLadder(t *testing.T) {
	t.Parallel()
	for _, s := range engine.Scenarios() {
		var losses []float64
		for _, policy := range names {
			sum, err := Block(policy, s, 51001, 4)
			if err != nil {
				t.Fatal(err)
			}
			losses = append(losses, sum.Loss.Mean)
		}
		t.Logf("%-24s none %6.0f greedy %6.0f people %6.0f oracle %6.0f", s.ID, losses[0], losses[1], losses[2], losses[3])
	}
}
