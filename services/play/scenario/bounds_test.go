package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// characters are of one to four bytes each, and a mark that combines.
var characters = []string{"a", "ż", "桜", "🗝", "\u0301"}

// TestBounds makes texts of as many characters as there may be, and one more.
//
// clause: P-50
func TestBounds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write()
	revision := int64(1)
	type texts struct{ title, summary, nodeTitle, body, notes string }
	for nth, test := range []struct {
		name string
		most int
		put  func(*texts, string)
	}{
		{"title", scenario.MaxTitle, func(x *texts, s string) { x.title = s }},
		{"summary", scenario.MaxSummary, func(x *texts, s string) { x.summary = s }},
		{"title", scenario.MaxNodeTitle, func(x *texts, s string) { x.nodeTitle = s }},
		{"body", scenario.MaxBody, func(x *texts, s string) { x.body = s }},
		{"gm_notes", scenario.MaxGMNotes, func(x *texts, s string) { x.notes = s }},
	} {
		for i, c := range characters {
			for n := test.most; n <= test.most+1; n++ {
				x := texts{title: "T", nodeTitle: "T"}
				test.put(&x, strings.Repeat(c, n))
				var err error
				if x.title != "T" || x.summary != "" {
					_, err = f.Create(f.ctx(), ada, scenario.NewScenario{
						ID: uuid.New(), Title: x.title, Summary: x.summary, Language: "pl",
					})
				} else {
					_, err = f.CreateNode(f.ctx(), ada, tale, 1, scenario.NewNode{
						ID: fmt.Sprintf("%d-%d", nth, i), Kind: "npc", Title: x.nodeTitle, Body: x.body, GMNotes: x.notes,
					})
					node, failed := f.UpdateNode(f.ctx(), ada, tale, 1, "yard", revision, scenario.NodeContent{
						Kind: "scene", Title: x.nodeTitle, Body: x.body, GMNotes: x.notes,
					})
					if (failed == nil) != (err == nil) || failed == nil && node.Title+node.Body+node.GMNotes != x.nodeTitle+x.body+x.notes {
						t.Errorf("update with %d × %q: %v", n, c, failed)
					}
					if failed == nil {
						revision++
					}
				}
				if n == test.most && err != nil {
					t.Errorf("%s of %d × %q: %v", test.name, n, c, err)
				}
				if n > test.most {
					refused(t, test.name, err, fault.Unprocessable, fmt.Sprintf("%s has %d characters", test.name, n))
				}
			}
		}
	}
}

func TestRefusedTexts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write()
	create := func(change func(*scenario.NewScenario)) error {
		n := a(uuid.New())
		change(&n)
		_, err := f.Create(f.ctx(), ada, n)
		return err
	}
	node := func(change func(*scenario.NewNode)) error {
		n := scene("new")
		change(&n)
		_, err := f.CreateNode(f.ctx(), ada, tale, 1, n)
		content := scenario.NodeContent{Kind: n.Kind, Title: n.Title, Body: n.Body, GMNotes: n.GMNotes, Position: n.Position}
		if n.ID == "new" {
			_, updated := f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 1, content)
			refused(t, "update", updated, fault.CodeOf(err), err.Error())
		}
		return err
	}
	f.unchanged("a refusal", func() {
		refused(t, "title", create(func(n *scenario.NewScenario) { n.Title = "" }), fault.Unprocessable, "title has 0")
		refused(t, "title", create(func(n *scenario.NewScenario) { n.Title = " \t\u3000" }), fault.Unprocessable, "title is blank")
		refused(t, "title", create(func(n *scenario.NewScenario) { n.Title = "a\x00" }), fault.Invalid, "title has U+0000")
		refused(t, "summary", create(func(n *scenario.NewScenario) { n.Summary = "\xff" }), fault.Invalid, "summary has")
		refused(t, "language", create(func(n *scenario.NewScenario) { n.Language = "de" }), fault.Unprocessable, "one of en, pl")
		refused(t, "title", node(func(n *scenario.NewNode) { n.Title = "" }), fault.Unprocessable, "title has 0")
		refused(t, "title", node(func(n *scenario.NewNode) { n.Title = "\n" }), fault.Unprocessable, "title is blank")
		refused(t, "body", node(func(n *scenario.NewNode) { n.Body = "\x00" }), fault.Invalid, "body has U+0000")
		refused(t, "gm_notes", node(func(n *scenario.NewNode) { n.GMNotes = "\xed\xa0\x80" }), fault.Invalid, "gm_notes has")
		refused(t, "kind", node(func(n *scenario.NewNode) { n.Kind = "" }), fault.Unprocessable, "kind must be one of")
		refused(t, "position", node(func(n *scenario.NewNode) { n.Position = new32(-1) }), fault.Unprocessable, "position must be")
		refused(t, "position", node(func(n *scenario.NewNode) { n.Position = new32(1_000_001) }), fault.Unprocessable, "position must be")
		for _, id := range []string{"", "-a", "A", "a_b", "ż", "a b", "a\n", strings.Repeat("a", 65)} {
			refused(t, id, node(func(n *scenario.NewNode) { n.ID = id }), fault.Unprocessable, "id must have 1 to 64")
		}
	})
	for _, id := range []string{"0", "a-", strings.Repeat("a", 64)} {
		if err := node(func(n *scenario.NewNode) { n.ID = id }); err != nil {
			t.Errorf("id %s: %v", id, err)
		}
	}
}
