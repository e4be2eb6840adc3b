package resolve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Propose adds a proposal for every operation of the document that has no
// decision yet, marked undecided, and returns what it added. Decisions that
// exist are never changed, and a proposal depends on nothing but the document
// and them, so that running it again changes nothing.
func Propose(c *manifest.Catalog, d *manifest.Document, doc *normalise.Document) []*manifest.Decision {
	var missing []*normalise.Operation
	for _, op := range doc.Operations {
		if d.Decision(op.Key) == nil {
			missing = append(missing, op)
		}
	}
	var added []*manifest.Decision
	names := proposeNames(c, missing)
	clean := unreadable(doc, missing...) == ""
	for i, op := range missing {
		e := propose(c, d, doc, op, clean)
		if e.IsTool() {
			e.Tool = names[i]
		}
		d.Add(e)
		added = append(added, e)
	}
	return added
}

func propose(
	c *manifest.Catalog, d *manifest.Document, doc *normalise.Document, op *normalise.Operation, clean bool,
) *manifest.Decision {
	e := &manifest.Decision{Key: op.Key, Pos: op.Pos, Undecided: true}
	if d.Owner == "" && op.Owner == "" {
		e.Exclude = exclusion(op)
		return e
	}
	b := bound{catalog: c, document: d, doc: doc, decision: e, op: op}
	if why := cannot(b, clean); why != "" && d.Owner != "" {
		e.Exclude = "unsupported: " + why
		return e
	}
	level := "write"
	switch op.Method {
	case "GET", "HEAD", "OPTIONS", "TRACE":
		e.Effect, level = "read", "read"
	case "DELETE":
		e.Effect = "delete"
	default:
		e.Effect = "write"
	}
	if op.Operator {
		level = "admin"
	}
	e.Scope = b.owner() + ":" + level
	for _, p := range op.Parameters {
		drop := likelyCredential(doc, p) || c.Binding == "handler" && (p.In == "header" || p.In == "cookie")
		if drop && !p.Injected && p.In != "path" && !slices.Contains(e.Drop, p.Name) {
			e.Drop = append(e.Drop, p.Name)
		}
	}
	proposeAliases(b)
	return e
}

// cannot says why no tool can carry the operation, or "". A clean document has
// nothing hidden in any of its texts.
func cannot(b bound, clean bool) string {
	if why := unsupportedReason(b.op); why != "" {
		return why
	}
	if clean {
		return ""
	}
	return unreadable(b.doc, b.op)
}

// unreadable names the first hidden character in what the operations show, or
// is "" (E-51).
func unreadable(doc *normalise.Document, ops ...*normalise.Operation) string {
	why := ""
	scan := textScan{doc: doc, seen: map[string]bool{}, report: func(_ spec.Pos, what string, c rune) {
		if why == "" {
			why = fmt.Sprintf("%s has the character U+%04X", what, c)
		}
	}}
	for _, op := range ops {
		scan.operation(op)
	}
	return why
}

// proposeAliases gives a key to every parameter that cannot be an argument
// under its own name, or shares one with another.
func proposeAliases(b bound) {
	e := b.decision
	taken := map[string]bool{}
	for _, p := range b.op.Parameters {
		if argument.MatchString(p.Name) {
			taken[b.group(p)+" "+p.Name] = true
		}
	}
	first := map[string]bool{}
	for _, p := range b.op.Parameters {
		if b.dropped(p) {
			continue
		}
		own := b.group(p) + " " + p.Name
		lawful := argument.MatchString(p.Name)
		if lawful && !first[own] {
			first[own] = true
			continue
		}
		name, key := p.Name, legal(p.Name)
		if lawful || len(b.find(p.Name)) > 1 {
			name, key = p.In+" "+p.Name, legal(p.In+"_"+p.Name)
		}
		free := key
		for n := 2; taken[b.group(p)+" "+free]; n++ {
			free = fmt.Sprintf("%.60s_%d", key, n)
		}
		taken[b.group(p)+" "+free] = true
		if e.Alias == nil {
			e.Alias = map[string]string{}
		}
		e.Alias[name] = free
	}
}

// hints map words of a path to the likeliest reason for an exclusion.
var hints = []struct {
	reason string
	words  *regexp.Regexp
}{
	{"internal-relay", regexp.MustCompile(`(?i)/internal(/|$)`)},
	{"session", regexp.MustCompile(`(?i)session|logout`)},
	{"authentication", regexp.MustCompile(`(?i)auth|login|token|oidc|password|register`)},
	{"realtime", regexp.MustCompile(`(?i)/(ws|websocket|stream|events|live)(/|$)`)},
}

// exclusion guesses why an operation without an owner is no tool.
func exclusion(op *normalise.Operation) string {
	for _, h := range hints {
		if h.words.MatchString(op.Path) || h.words.MatchString(strings.Join(op.Tags, " ")) {
			return h.reason
		}
	}
	return "diagnostics"
}
