package runlog

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

var update = flag.Bool("update", false, "write the digests of the logs that are made now")

// script gives the commands of a tick that the golden logs have: each truck in
// turn to a building that burns, or else to one of the city, and now and then
// another for the same truck.
func script(t *testing.T, e *engine.Episode) {
	t.Helper()
	s, tick := e.Scenario(), e.Tick()
	m, _ := city.Load(s.MapID)
	if tick%3 == 2 {
		return
	}
	for again := range 1 + tick%2 {
		truck := (tick+tick/3)%int64(s.Template.Trucks) + 1
		to := m.Buildings[(tick*37+again*11+int64(s.Template.Stage))%int64(len(m.Buildings))].Point
		if fires := e.Fires(); len(fires) > 0 && again == 0 {
			to = fires[tick%int64(len(fires))].Point
		}
		why := fmt.Sprintf("command of tick %d – \"żółw\"", tick)
		if _, _, err := e.Dispatch(fmt.Sprintf("truck-%d", truck), "incident", why, to); err != nil {
			t.Fatal(err)
		}
	}
}

// The same scenario, seed and commands make the same log on every machine.
//
// clause: S-35
func TestGolden(t *testing.T) {
	t.Parallel()
	var sums bytes.Buffer
	for _, s := range engine.Scenarios() {
		e, err := engine.New(s, s.Template.Seed, Neutral)
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		h.Write(HeaderOf(Neutral, e).line())
		h.Write(tickLine(Neutral, e, e.Last()))
		for e.Lifecycle() == "running" {
			script(t, e)
			h.Write(tickLine(Neutral, e, e.Step()))
		}
		h.Write(endLine(e, e.TerminalReason()))
		fmt.Fprintf(&sums, "%x  %s\n", h.Sum(nil), s.ID)
	}
	const golden = "testdata/golden.sha256"
	if *update {
		if err := os.WriteFile(golden, sums.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(sums.Bytes(), want) {
		t.Errorf("the logs are others: go test ./services/simulator/runlog -run Golden -update, and raise the version of the mechanics\n%s", sums.Bytes())
	}
}
