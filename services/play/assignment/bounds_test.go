package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// characters are ones that count one each however many bytes, UTF-16 units or
// places on a screen they take: a letter, one of two bytes, one of three, one of
// four, and a letter with its mark, which are two.
var characters = map[string]string{
	"a letter": "a", "two bytes": "ż", "three bytes": "語", "an emoji": "🎲", "a mark": "e\u0301",
	"an emoji with its tone": "👍🏽",
}

// of gives a text of n characters out of those of a piece.
func of(piece string, n int) string {
	runes := []rune(strings.Repeat(piece, n))
	return string(runes[:n])
}

// bound is one bound of a text: how to write one, and how few and many
// characters it takes.
type bound struct {
	least, most int
	write       func(b table, text string) error
}

// bounds are those of every text that is written to a session.
var bounds = map[string]bound{
	"player_action":   turnBound(0, 4000, func(t *assignment.Turn, s string) { t.PlayerAction = s }),
	"narration":       turnBound(0, 6000, func(t *assignment.Turn, s string) { t.Narration = s }),
	"memory_markdown": turnBound(0, 16000, func(t *assignment.Turn, s string) { t.Memory = s }),
	"description":     turnBound(1, 1500, func(t *assignment.Turn, s string) { t.Consequences[1].Description = s }),
	"summary": {1, 4000, func(b table, text string) error {
		end := ending(1)
		end.Summary = text
		_, err := b.Finish(b.t.Context(), b.seat, end)
		return err
	}},
	"note": {0, 2000, func(b table, text string) error {
		decisions := review(2, b.commit(turn(1)).Consequences[0].ID)
		decisions.List[0].Note = text
		_, err := b.Review(b.t.Context(), gm, b.id, decisions)
		return err
	}},
	"character":        newBound(1, func(n *assignment.NewAssignment, s string) { n.Character = s }),
	"brief":            newBound(1, func(n *assignment.NewAssignment, s string) { n.Brief = s }),
	"instructions":     newBound(0, func(n *assignment.NewAssignment, s string) { n.Instructions = s }),
	"boundaries":       newBound(1, func(n *assignment.NewAssignment, s string) { n.Boundaries = s }),
	"return_condition": newBound(1, func(n *assignment.NewAssignment, s string) { n.ReturnCondition = s }),
	"gm_notes":         newBound(0, func(n *assignment.NewAssignment, s string) { n.GMNotes = s }),
}

func turnBound(least, most int, set func(*assignment.Turn, string)) bound {
	return bound{least, most, func(b table, text string) error {
		one := turn(1)
		set(&one, text)
		_, err := b.Commit(b.t.Context(), b.seat, one)
		return err
	}}
}

func newBound(least int, set func(*assignment.NewAssignment, string)) bound {
	return bound{least, 8000, func(b table, text string) error {
		n := content()
		set(&n, text)
		_, _, err := b.Create(b.t.Context(), gm, n)
		return err
	}}
}

// TestTextBounds meets the bounds of every text from both sides, in characters.
//
// clause: P-13, P-18, P-42, P-43
func TestTextBounds(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	for name, text := range bounds {
		refuse := func(what, s string, code fault.Code) {
			t.Helper()
			fresh := b.another("paul")
			if err := text.write(fresh, s); fault.CodeOf(err) != code || !strings.Contains(fault.From(err).Message, name) {
				t.Errorf("%s, %s: error %v, want %s", name, what, err, code)
			}
		}
		accept := func(what, s string) {
			t.Helper()
			if err := text.write(b.another("paul"), s); err != nil {
				t.Errorf("%s, %s: error %v", name, what, err)
			}
		}
		for what, piece := range characters {
			accept("the most of "+what, of(piece, text.most))
			refuse("one more of "+what, of(piece, text.most+1), fault.Unprocessable)
		}
		if text.least > 0 {
			refuse("nothing", "", fault.Unprocessable)
			refuse("blank", " \t\r\n\u00a0\u3000", fault.Unprocessable)
			accept("one character", "🎲")
		} else {
			accept("nothing", "")
			accept("blank", " \n")
		}
		accept("line ends and marks", "a\r\nb\tc\u2028\u200f\ufeff")
		refuse("U+0000", "a\x00b", fault.Invalid)
		refuse("no UTF-8", "a\xffb", fault.Invalid)
		refuse("a lone surrogate", "a\xed\xa0\x80b", fault.Invalid)
	}
}

// TestTextsUnchanged gives texts back as they were written.
//
// clause: P-13
func TestTextsUnchanged(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	odd := "e\u0301 é \r\n\t <b>&amp;</b> \\u0041 \"' \u2028 👩‍👩‍👧 \ufeff" + string(rune(0x10FFFF))
	one := turn(1)
	one.Memory, one.Consequences[0].Description = odd, odd
	first := b.commit(one)
	again, err := b.Commit(t.Context(), b.seat, one)
	if err != nil || !again.Replayed || first.Consequences[0].Description != odd || again.Consequences[0].Description != odd {
		t.Errorf("%+v\n%+v, error %v", first, again, err)
	}
	if got := b.session().Memory; got != odd {
		t.Errorf("%q", got)
	}
}

// TestSchemaBounds holds the bounds of the schema against those of the service.
//
// clause: P-13, P-42, P-43
func TestSchemaBounds(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	for name, most := range map[string]int{
		"assignment_character_length":        assignment.MaxText,
		"assignment_brief_length":            assignment.MaxText,
		"assignment_instructions_length":     assignment.MaxText,
		"assignment_boundaries_length":       assignment.MaxText,
		"assignment_return_condition_length": assignment.MaxText,
		"assignment_gm_notes_length":         assignment.MaxText,
		"assignment_published_count":         assignment.MaxPublished,
		"assignment_memory_length":           assignment.MaxMemory,
		"assignment_summary_length":          assignment.MaxSummary,
		"event_action_length":                assignment.MaxAction,
		"event_narration_length":             assignment.MaxNarration,
		"event_summary_length":               assignment.MaxSummary,
		"event_scene_length":                 assignment.MaxScene,
		"consequence_position_range":         assignment.MaxConsequences,
		"consequence_description_length":     assignment.MaxDescription,
		"consequence_note_length":            assignment.MaxNote,
	} {
		if n := b.count(`SELECT count(*) FROM pg_constraint WHERE connamespace = 'play'::regnamespace AND conname = $1
			AND pg_get_constraintdef(oid) ~ ('<= ' || $2::text || '\)')`, name, fmt.Sprint(most)); n != 1 {
			t.Errorf("%s does not end at %d", name, most)
		}
	}
}

// TestListBounds meets the bounds of every list from both sides.
//
// clause: P-13, P-14, P-42, P-43
func TestListBounds(t *testing.T) {
	t.Parallel()
	t.Run("consequences", func(t *testing.T) {
		t.Parallel()
		b := newTable(t)
		one := turn(1)
		for len(one.Consequences) < 11 {
			one.Consequences = append(one.Consequences, one.Consequences[0])
		}
		b.unchanged(func() {
			_, err := b.Commit(t.Context(), b.seat, one)
			refused(t, err, fault.Unprocessable, "0 to 10")
		})
		one.Consequences = one.Consequences[:10]
		if r := b.commit(one); len(r.Consequences) != 10 || b.session().Pending != 9 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a consequence's category", func(t *testing.T) {
		t.Parallel()
		b := newTable(t)
		for i, category := range []string{"resource", "relationship", "discovery", "narrative"} {
			one := turn(int64(i + 1))
			one.Consequences[0].Category = category
			b.commit(one)
		}
		for _, category := range []string{"", "loot", "Resource", "resource "} {
			one := turn(5)
			one.Consequences[1].Category = category
			b.unchanged(func() {
				_, err := b.Commit(t.Context(), b.seat, one)
				refused(t, err, fault.Unprocessable, "consequences[1].category")
			})
		}
	})
	t.Run("decisions", func(t *testing.T) {
		t.Parallel()
		b := newTable(t)
		d := assignment.Decisions{OperationID: uuid.New(), ExpectedVersion: 4}
		for version := range int64(3) {
			one := turn(version + 1)
			for len(one.Consequences) < 10 {
				one.Consequences = append(one.Consequences, one.Consequences[0])
			}
			for _, c := range b.commit(one).Consequences {
				if c.Status == "pending" && len(d.List) < 21 {
					d.List = append(d.List, assignment.Decision{ID: c.ID, Decision: "rejected", Note: of("語", 2000)})
				}
			}
		}
		b.unchanged(func() {
			_, err := b.Review(t.Context(), gm, b.id, d)
			refused(t, err, fault.Unprocessable, "1 to 20")
		})
		d.List = d.List[:20]
		r, err := b.Review(t.Context(), gm, b.id, d)
		if err != nil || len(r.Consequences) != 20 || r.Pending != 7 {
			t.Errorf("%d decided, %d pending, error %v", len(r.Consequences), r.Pending, err)
		}
	})
	t.Run("published nodes", func(t *testing.T) {
		t.Parallel()
		b := newTable(t)
		b.exec(`INSERT INTO play.node
			(scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at)
			SELECT $1, 2, 'n' || i, 'scene', 1000 - i, 't', '', '', 1, 'epoch', 'epoch' FROM generate_series(1, 101) AS i`, harbor)
		b.exec("UPDATE play.scenario_version SET status = 'published', published_at = 'epoch' WHERE version = 2")
		n := content()
		n.SourceVersion, n.PublishedNodeIDs = 2, nil
		for i := range 101 {
			n.PublishedNodeIDs = append(n.PublishedNodeIDs, fmt.Sprintf("n%d", i+1))
		}
		_, _, err := b.Create(t.Context(), gm, n)
		refused(t, err, fault.Unprocessable, "1 to 100")
		n.PublishedNodeIDs = n.PublishedNodeIDs[:100]
		a, _, err := b.Create(t.Context(), gm, n)
		if err != nil || a.CurrentScene != "n100" {
			t.Errorf("it starts in %s, error %v", a.CurrentScene, err)
		}
		one := content()
		one.PublishedNodeIDs, one.AutoApprove = []string{"cellar"}, []string{"narrative", "discovery", "relationship", "resource"}
		if _, _, err := b.Create(t.Context(), gm, one); err != nil {
			t.Error(err)
		}
	})
}
