package emit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// parity prints the page of a catalog as lines.
func parity(t *testing.T, c *ir.Catalog) []string {
	t.Helper()
	files, err := Catalog(c)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(files[c.Name+"/parity.md"]), "\n")
}

// changed lists the lines that only one of two pages has, marked - and +.
func changed(before, after []string) []string {
	count := map[string]int{}
	for _, line := range before {
		count[line]++
	}
	var diff []string
	for _, line := range after {
		if count[line] == 0 {
			diff = append(diff, "+ "+line)
			continue
		}
		count[line]--
	}
	var gone []string
	for _, line := range before {
		if count[line] > 0 {
			gone = append(gone, "- "+line)
			count[line] = 0
		}
	}
	return append(gone, diff...)
}

// TestParityShowsWhatChanged: every change that a model would notice is a
// readable line of the page, and marks each tool that it reaches.
//
// clause: E-51
func TestParityShowsWhatChanged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*ir.Catalog)
		want   []string // lines that must be among the changed ones
	}{
		"name": {
			func(c *ir.Catalog) { c.Operations[0].Tool = "end_support_ticket" },
			[]string{"- ### `close_support_ticket`", "+ ### `end_support_ticket`"},
		},
		"description": {
			func(c *ir.Catalog) { c.Operations[0].Description = "Closes it for good." },
			[]string{"- > Closes it.", "+ > Closes it for good."},
		},
		"scope": {
			func(c *ir.Catalog) { c.Operations[1].Scope = "files:admin" },
			[]string{
				"- | `DELETE /buckets/{bucket}/objects/{key}` | `delete_object` | `files:write` | delete | yes | `key` may hold slashes |  |",
				"+ | `DELETE /buckets/{bucket}/objects/{key}` | `delete_object` | `files:admin` | delete | yes | `key` may hold slashes |  |",
			},
		},
		"property of a body": {
			func(c *ir.Catalog) { rename(c.Operations[0].Input, "reason", "why") },
			[]string{"-   - `reason` `enum [\"done\",\"lost\"]`", "+   - `why` `enum [\"done\",\"lost\"]`"},
		},
		"property of a parameter's schema": {
			func(c *ir.Catalog) { rename(c.Operations[0].Input, "minLength", "maxLength") },
			[]string{
				"- - header `Idempotency-Key` string, `minLength 1`, required",
				"+ - header `Idempotency-Key` string, `maxLength 1`, required",
			},
		},
		"property of a shared schema": {
			func(c *ir.Catalog) {
				// The two operations that share an output hold the same tree.
				rename(c.Operations[0].Output, "maxLength", "minLength")
			},
			[]string{
				"- - `name` string, `maxLength 80`", "+ - `name` string, `minLength 80`",
				"- `POST /support/tickets/{id}/close`, id `closeSupportTicket`, schemas `e33d4705`: Close a ticket",
			},
		},
		"reply of one tool": {
			func(c *ir.Catalog) { rename(c.Operations[3].Output, "size", "bytes") },
			[]string{"- - `size` integer", "+ - `bytes` integer"},
		},
		"status": {
			func(c *ir.Catalog) { c.Operations[0].Replies[1].Status = "410" },
			[]string{
				"- - reply `404` `application/json` `Outcome`, a recorded outcome",
				"+ - reply `410` `application/json` `Outcome`, a recorded outcome",
			},
		},
		"exclusion": {
			func(c *ir.Catalog) { c.Excluded[0].Reason = "session" },
			[]string{"- | `POST /auth/login` | authentication |", "+ | `POST /auth/login` | session |"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := platform(t), platform(t)
			tt.change(after)
			diff := changed(parity(t, before), parity(t, after))
			for _, line := range tt.want {
				if !contains(diff, line) {
					t.Errorf("no line %q among\n%s", line, strings.Join(diff, "\n"))
				}
			}
		})
	}
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// rename renames a member wherever it stands in a tree.
func rename(n *spec.Node, from, to string) {
	for i := range n.Members {
		if n.Members[i].Name == from {
			n.Members[i].Name = to
		}
		rename(n.Members[i].Value, from, to)
	}
	for _, item := range n.Items {
		rename(item, from, to)
	}
}

// TestTextStaysInItsPlace: text of a document is neither markup nor hidden.
//
// clause: E-51
func TestTextStaysInItsPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, text, code string }{
		{"plain words", "plain words", "`plain words`"},
		{"a|b", `a\|b`, "`a\\|b`"},
		{"a`b", "a\\`b", "a\\`b"},
		{`a\|b`, `a\\\|b`, `a\\\|b`},
		{"<!-- x -->", `\<!-- x --\>`, "`<!-- x -->`"},
		{"a\nb\u202ec\u200b", "a bU+202EcU+200B", "`a bU+202EcU+200B`"},
		{"", "", ""},
	} {
		if got := text(tt.in); got != tt.text {
			t.Errorf("text(%q) = %q, want %q", tt.in, got, tt.text)
		}
		if got := code(tt.in); got != tt.code {
			t.Errorf("code(%q) = %q, want %q", tt.in, got, tt.code)
		}
	}
}

// TestHostileText: whatever a document says, the page keeps its table, and Go
// its comments.
func TestHostileText(t *testing.T) {
	t.Parallel()
	c := platform(t)
	hostile := "x | y |\n| z\n```\n*/ \u2028package main\r\nfunc init() {}"
	op := c.Operations[0]
	op.Description, op.Title, op.Reason, op.ID = hostile, hostile, hostile, hostile
	op.Key, op.Parameters[1].Name, op.Replies[0].MediaType = "GET /"+hostile, hostile, hostile
	op.Body.MediaType = hostile
	c.Documents[0].Schemes[0].Key = hostile
	c.Sources[0], c.Excluded[0].Key, c.Excluded[0].Reason = hostile, hostile, hostile
	files, err := Catalog(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"catalog.go", "inputs.go", "dispatch.go"} {
		if strings.Contains(string(files["platform/"+name]), "\nfunc init()") {
			t.Errorf("%s: text became code", name)
		}
	}
	if err := newChecker(t).catalog(c, files); err != nil {
		t.Error(err)
	}
	plain := parity(t, platform(t))
	rows := func(lines []string) (n int) {
		for _, line := range lines {
			if strings.HasPrefix(line, "|") {
				n++
				cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
				if cells != 8 && cells != 3 {
					t.Errorf("a row of %d cells: %s", cells-1, line)
				}
			}
		}
		return n
	}
	got := parity(t, c)
	if diff := cmp.Diff(rows(plain), rows(got)); diff != "" {
		t.Error(diff)
	}
	for _, line := range got {
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "package") {
			t.Errorf("text became a line of its own: %s", line)
		}
	}
}

// TestTypesInSeveralForms: a shared schema that tools see in two ways is shown
// in both; only the schemas of single replies stay with their tools.
func TestTypesInSeveralForms(t *testing.T) {
	t.Parallel()
	types := &typeSet{texts: map[string]map[string]bool{
		"ReplyTo":      {"object": true, "string": true},
		"Reply200":     {"object": true, "string": true},
		"Reply4XX_":    {"object": true, "string": true},
		"ReplyDefault": {"object": true},
	}}
	var headings []string
	for _, s := range types.sections() {
		headings = append(headings, s.Heading)
	}
	if diff := cmp.Diff([]string{"`ReplyDefault`", "`ReplyTo`", "`ReplyTo`, form 2"}, headings); diff != "" {
		t.Error(diff)
	}
}
