package resolve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// The reasons an operation may be excluded for (E-01).
var (
	reasons        = []string{"authentication", "session", "internal-relay", "diagnostics", "realtime"}
	handlerReasons = []string{"rest-only", manifest.RPCOnly}
	foreignReason  = "not-offered"
	unsupported    = regexp.MustCompile(`^unsupported: \S`)
)

// decisions matches the operations of a document with their decisions, one to
// one (E-01), and returns those that become methods and those that do not.
func (r *resolver) decisions(
	c *manifest.Catalog, d *manifest.Document, doc *normalise.Document,
) (tools []bound, excluded []ir.Excluded) {
	known := map[string]bool{}
	for _, op := range doc.Operations {
		known[op.Key] = true
		e := d.Decision(op.Key)
		if e == nil {
			r.problem(op.Pos, "E-01", fmt.Sprintf("%s has no decision in %s", describe(op), r.manifest.File),
				fmt.Sprintf(`add %s under operations of "%s" with a tool name, scope and effect, or {"exclude": "REASON"}; `+
					"mcpgen init adds a proposal", literal(op.Key), d.Name))
			continue
		}
		b := bound{catalog: c, document: d, doc: doc, decision: e, op: op}
		r.decision(b)
		if e.IsTool() {
			tools = append(tools, b)
		} else {
			excluded = append(excluded, ir.Excluded{Document: d.Name, Key: op.Key, Reason: e.Exclude})
		}
	}
	for _, e := range d.Decisions {
		if !known[e.Key] {
			r.problem(e.Pos, "E-01", fmt.Sprintf(`"%s" is no operation of document "%s"`, e.Key, d.Name), gone(e.Key, doc))
		}
	}
	return tools, excluded
}

// gone advises on a decision without an operation.
func gone(key string, doc *normalise.Document) string {
	method, path, _ := strings.Cut(key, " ")
	for _, op := range doc.Operations {
		_, p, _ := strings.Cut(op.Key, " ")
		if p == path && op.Method != method || strings.EqualFold(op.Key, key) {
			return fmt.Sprintf(`remove the decision; the document has "%s"`, op.Key)
		}
	}
	return "remove the decision"
}

// decision checks that a decision is whole and of the kind that its operation
// needs.
func (r *resolver) decision(b bound) {
	e := b.decision
	if e.Undecided {
		r.problem(e.Pos, "E-01", describe(b.op)+" is undecided",
			fmt.Sprintf("review the proposal, then run mcpgen accept '%s' or remove \"undecided\"", e.Key))
	}
	foreign := b.document.Owner != ""
	if e.Exclude != "" {
		r.exclusion(b, foreign)
	}
	if e.IsTool() {
		r.tool(b)
	}
	if foreign {
		return
	}
	if e.Owner != "" {
		r.problem(e.Place("owner"), "E-02", fmt.Sprintf(`"owner" on %s, whose document says it itself`, describe(b.op)),
			fmt.Sprintf(`write x-owner in the document, or "owner" at document "%s"`, b.document.Name))
	}
	switch {
	case b.op.Owner != "" && e.Exclude != "" && !slices.Contains(handlerReasons, e.Exclude):
		r.problem(e.Place("exclude"), "E-01", fmt.Sprintf("%s has x-owner %s and must be a tool", describe(b.op), b.op.Owner),
			"give it a tool name, scope and effect, or remove x-owner from the document")
	case b.op.Owner == "" && e.Exclude == "":
		r.problem(e.Pos, "E-01", describe(b.op)+" has no owner and cannot be a tool",
			fmt.Sprintf(`add x-owner to the operation, "owner" to document "%s", or exclude it`, b.document.Name))
	}
}

// tool reports what a decision for a tool lacks.
func (r *resolver) tool(b bound) {
	e := b.decision
	var lacks, write []string
	for _, m := range [][3]string{
		{"tool", e.Tool, "a name, ^[a-z][a-z0-9_]{0,63}$"},
		{"scope", e.Scope, "OWNER:read, OWNER:write or OWNER:admin"},
		{"effect", e.Effect, "read, write or delete"},
	} {
		if m[1] == "" {
			lacks = append(lacks, m[0])
			write = append(write, fmt.Sprintf(`"%s" (%s)`, m[0], m[2]))
		}
	}
	if len(lacks) > 0 {
		r.problem(e.Pos, "E-01", fmt.Sprintf("the decision on %s has no %s", describe(b.op), strings.Join(lacks, ", ")),
			fmt.Sprintf(`add %s; or write {"exclude": "REASON"}`, strings.Join(write, ", ")))
	}
}

// exclusion checks the reason, and that nothing else is decided beside it.
func (r *resolver) exclusion(b bound, foreign bool) {
	e := b.decision
	allowed := slices.Clone(reasons)
	if b.catalog.Binding == "handler" {
		allowed = append(allowed, handlerReasons...)
	}
	if foreign {
		allowed = append(allowed, foreignReason)
	}
	if !slices.Contains(allowed, e.Exclude) && !(foreign && unsupported.MatchString(e.Exclude)) {
		hint := "it is one of " + strings.Join(allowed, ", ")
		if foreign {
			hint += ", unsupported: WHY"
		}
		r.problem(e.Place("exclude"), "E-01", fmt.Sprintf(`%s cannot be excluded as "%s"`, describe(b.op), e.Exclude), hint)
	}
	if c, ok := hidden(e.Exclude); ok {
		r.problem(e.Place("exclude"), "E-51", fmt.Sprintf("exclusion of %s has the character U+%04X", b.op.Key, c),
			"remove it: reviewers cannot see what it does")
	}
	if e.IsTool() {
		return
	}
	for _, m := range []string{"tool", "was", "scope", "effect", "reason", "drop", "alias", "allow_slash", "body"} {
		if p := e.Place(m); p != e.Pos {
			r.problem(p, "E-01", fmt.Sprintf(`"%s" beside "exclude"`, m), "an operation is a tool or excluded: remove one")
		}
	}
}

// describe names an operation in a message: its key, and its id if it has one.
func describe(op *normalise.Operation) string {
	if op.ID == "" {
		return op.Key
	}
	return op.Key + " (" + op.ID + ")"
}
