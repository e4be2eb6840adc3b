package chronicle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/report"
)

// clause: P-44, P-45
func TestReportData(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.scenario(0, "The harbour", node{"harbor", "scene", "Harbour", "Boats.", ""}, node{"cellar", "scene", "Cellar", "", ""})
	id := s.assign(0, []string{"harbor"}, "gm_notes = 'She did it', memory = 'Dusk'")
	s.happen(id, turn("2"), review, turn("4"))
	s.propose(id,
		effect{version: 2, position: 1, status: "approved", note: "Yes.", decided: 3, description: "first"},
		effect{version: 2, position: 2, status: "pending", description: "second"},
		effect{version: 4, position: 1, status: "approved", description: "third"})

	d, err := s.ReportData(t.Context(), id, assignment.GM)
	if err != nil {
		t.Fatal(err)
	}
	// What is decided before the journal is taken is later than the rest.
	s.happen(id, review, turn("6"))
	s.exec("UPDATE play.consequence SET status = 'rejected', note = 'Late.', decided_version = 5, decided_at = now() WHERE position = 2")
	var entries []report.Entry
	for e, err := range d.Journal {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	d.Journal = nil
	want := report.Data{
		Title: "The harbour", SourceVersion: 1, GM: "The gm", Player: "The player", Mode: "solo", Status: "active", Version: 4,
		Scene: "Harbour", CreatedAt: start, UpdatedAt: start, Character: "Arin", Brief: "Find Mira", Instructions: "Be brief",
		Boundaries: "No gore", ReturnCondition: "Dawn", GMNotes: new("She did it"), Memory: "Dusk", Pending: 1,
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wanted := []report.Entry{
		{Version: 2, Kind: "turn", Action: "I do it.", Narration: "2", Scene: "Harbour", At: at(2), Consequences: []report.Consequence{
			{Category: "discovery", Description: "first", Status: "approved", Note: "Yes.", DecidedAt: new(at(3))},
			{Category: "discovery", Description: "second", Status: "pending"},
		}},
		{Version: 4, Kind: "turn", Action: "I do it.", Narration: "4", Scene: "Harbour", At: at(4), Consequences: []report.Consequence{
			{Category: "discovery", Description: "third", Status: "approved"},
		}},
	}
	if diff := cmp.Diff(wanted, entries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// clause: P-45
func TestReportNotes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	s.exec("UPDATE play.assignment SET gm_notes = 'She did it' WHERE id = $1", id)
	for role, want := range map[assignment.Role]bool{assignment.GM: true, assignment.Player: false, "": false} {
		d, err := s.ReportData(t.Context(), id, role)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.GMNotes != nil && *d.GMNotes == "She did it"; got != want || (d.GMNotes != nil) != want {
			t.Errorf("the report for %q has the notes: %v, want %v", role, got, want)
		}
	}
}

// TestLongReport reads a journal of several pieces, whole and in part.
func TestLongReport(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	var events []event
	for v := 2; v <= 181; v++ {
		events = append(events, turn(fmt.Sprintf("turn %d.", v)))
	}
	s.happen(id, events...)
	for v := 2; v <= 181; v++ {
		s.propose(id, effect{version: v, position: 1, status: "pending", description: fmt.Sprintf("effect %d.", v)})
	}
	d, err := s.ReportData(t.Context(), id, assignment.Player)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report.Write(&b, d, "en"); err != nil {
		t.Fatal(err)
	}
	rest := b.String()
	for v := 2; v <= 181; v++ {
		_, after, told := strings.Cut(rest, fmt.Sprintf("turn %d.", v))
		_, then, proposed := strings.Cut(after, fmt.Sprintf("effect %d.", v))
		if rest = then; !told || !proposed {
			t.Fatalf("turn %d is not there with its effect, or not in its place", v)
		}
	}
	n := 0
	for range d.Journal {
		if n++; n == 60 {
			break
		}
	}
	if n != 60 {
		t.Errorf("%d events were read, want 60", n)
	}
	s.pool.Close()
	for _, err := range d.Journal {
		if err == nil {
			t.Error("events were read of a database that is gone")
		}
	}
}
