package report_test

import (
	"errors"
	"flag"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/play/report"
)

var update = flag.Bool("update", false, "write the expected reports anew")

// noon is when everything of these tests happens.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// journal gives some events.
func journal(events ...report.Entry) iter.Seq2[report.Entry, error] {
	return func(yield func(report.Entry, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// some makes a report in which every text of people is the same.
func some(text string) report.Data {
	return report.Data{
		Title: text, SourceVersion: 2, GM: text, Player: text, Mode: "solo", Status: "completed", Version: 4, Scene: text,
		CreatedAt: noon, UpdatedAt: noon.Add(time.Hour), Character: text, Brief: text, Instructions: text, Boundaries: text,
		ReturnCondition: text, GMNotes: &text, Memory: text, Summary: &text, Pending: 1,
		Journal: journal(
			report.Entry{Version: 2, Kind: "turn", Action: text, Narration: text, Scene: text, At: noon, Consequences: []report.Consequence{
				{Category: "relationship", Description: text, Status: "pending"},
				{Category: "resource", Description: text, Status: "rejected", Note: "x" + text, DecidedAt: &noon},
			}},
			report.Entry{Version: 4, Kind: "finish", Summary: text, Scene: text, At: noon},
		),
	}
}

func written(t testing.TB, d report.Data, language string) string {
	t.Helper()
	var b strings.Builder
	if err := report.Write(&b, d, language); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// session is a session as people would play it.
func session() report.Data {
	notes, summary := "Mira is the smuggler.", "Arin wraca o świcie."
	d := some("")
	d.Title, d.GM, d.Player, d.Scene = "The Harbour", "Ola", "Jan_K", "The pier"
	d.Character = "Arin, ranger\n- brave\n- *tired*"
	d.Brief = "Find Mira.\n\n\nBe back: soon. See https://example.com/x & www.example.com at 12:30!"
	d.Instructions, d.Boundaries, d.ReturnCondition = " \n", "# No gore\n1. none\n2) at all", "At dawn."
	d.GMNotes, d.Summary = &notes, &summary
	d.Memory = "# Current state\nAt the harbour.\n\n# Return\n\tDawn <soon>"
	d.Journal = journal(
		report.Entry{
			Version: 2, Kind: "turn", Action: "I look.", Narration: "You see…\r\n---\r\na page.", Scene: "The pier", At: noon,
			Consequences: []report.Consequence{
				{Category: "discovery", Description: "A page.", Status: "approved", Note: "Yes.", DecidedAt: &noon},
				{Category: "narrative", Description: "It rains.", Status: "pending"},
			},
		},
		report.Entry{Version: 4, Kind: "finish", Summary: summary, Scene: "The pier", At: noon},
	)
	return d
}

// clause: P-44, P-53
func TestWrite(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "pl"} {
		got := written(t, session(), language)
		file := filepath.Join("testdata", language+".md")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", language, diff)
		}
	}
	if written(t, session(), "de") != written(t, session(), "en") {
		t.Error("another language is not English")
	}
}

// clause: P-44, P-45
func TestWithoutNotes(t *testing.T) {
	t.Parallel()
	d := session()
	d.GMNotes = nil
	for language, heading := range map[string]string{"en": "Private notes", "pl": "Prywatne notatki"} {
		if got := written(t, d, language); strings.Contains(got, "smuggler") || strings.Contains(got, heading) {
			t.Errorf("%s: the report without notes has some:\n%s", language, got)
		}
		if !strings.Contains(written(t, session(), language), heading) {
			t.Errorf("%s: the report with notes has none", language)
		}
	}
}

func TestBegun(t *testing.T) {
	t.Parallel()
	d := session()
	d.Journal, d.Summary, d.Status = nil, nil, "active"
	got := written(t, d, "en")
	if !strings.Contains(got, "Nothing has happened yet.") || strings.Contains(got, "## Summary") {
		t.Errorf("the report of a session that has just begun:\n%s", got)
	}
}

var errTest = errors.New("of this test")

// failing takes so many bytes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errTest
	}
	return len(b), nil
}

func TestErrors(t *testing.T) {
	t.Parallel()
	d := session()
	d.Journal = func(yield func(report.Entry, error) bool) { yield(report.Entry{}, errTest) }
	if err := report.Write(io.Discard, d, "en"); !errors.Is(err, errTest) {
		t.Errorf("an error of the journal gave %v", err)
	}
	if err := report.Write(&failing{100}, session(), "en"); !errors.Is(err, errTest) {
		t.Errorf("an error at the end gave %v", err)
	}
	// A journal without an end ends with its reader.
	d.Journal = func(yield func(report.Entry, error) bool) {
		for yield(report.Entry{Kind: "turn", Narration: strings.Repeat("long ", 1000)}, nil) {
		}
	}
	if err := report.Write(&failing{100_000}, d, "en"); !errors.Is(err, errTest) {
		t.Errorf("an error in the journal gave %v", err)
	}
}
