package generators

import (
	"errors"
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/clients"
	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/resolve"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// try generates from the added proposals as if they were accepted, and changes
// those that cannot work: to `body: raw` where no Go type can be made of the
// body, and to `unsupported: WHY` where there is no schema for the operation.
// What was decided before takes no part.
func (in *input) try(added map[*manifest.Decision]bool) {
	for _, c := range in.manifest.Catalogs {
		for _, d := range c.Documents {
			doc := in.documents[c.Name][d.Name]
			if doc == nil {
				continue
			}
			// Every round settles one operation at least, or is the last.
			for rounds := len(d.Decisions) + 1; rounds > 0; rounds-- {
				if !tryDocument(c, d, doc, added) {
					break
				}
			}
		}
	}
}

// tryDocument makes one attempt and reports whether it changed a proposal.
func tryDocument(
	c *manifest.Catalog, d *manifest.Document, doc *normalise.Document, added map[*manifest.Decision]bool,
) bool {
	trialDocument, trialDoc := *d, *doc
	trialDocument.Decisions, trialDoc.Operations = nil, nil
	proposals := map[string]*manifest.Decision{}
	for _, op := range doc.Operations {
		e := d.Decision(op.Key)
		if !added[e] {
			continue
		}
		accepted := *e
		accepted.Undecided = false
		trialDocument.Add(&accepted)
		trialDoc.Operations = append(trialDoc.Operations, op)
		proposals[op.Key] = e
	}
	trialCatalog := *c
	trialCatalog.Documents = []*manifest.Document{&trialDocument}
	trial := &input{
		manifest:  &manifest.Manifest{File: manifestFile, Catalogs: []*manifest.Catalog{&trialCatalog}},
		documents: map[string]map[string]*normalise.Document{c.Name: {d.Name: &trialDoc}},
	}
	catalogs, err := resolve.Resolve(trial.manifest, trial.documents, nil, "trial")
	if err != nil {
		return false // generation will say what is wrong
	}
	changed := false
	for _, p := range trial.schemas(catalogs[0]) {
		for _, op := range doc.Operations {
			if e := proposals[op.Key]; e != nil && op.Pos == p.Pos && e.Exclude == "" && d.Owner != "" {
				*e = manifest.Decision{Key: e.Key, Pos: e.Pos, Undecided: true, Exclude: "unsupported: " + p.Message}
				changed = true
			}
		}
	}
	if changed {
		return true
	}
	ops := operationsOf(catalogs[0], d.Name)
	in := clients.Input{
		Document: &trialDoc, Package: d.Name + "api", Operations: ops, Client: c.Binding == "http", Server: d.Server,
	}
	source, err := clients.Generate(in)
	if err == nil {
		err = clients.Check(in, source)
	}
	var failure *clients.Failure
	if !errors.As(err, &failure) {
		return false
	}
	for _, op := range ops {
		if e := proposals[op.Key]; e.Body == "" && op.Body != nil && slices.Contains(failure.Operations, op.Key) {
			e.Body = "raw"
			changed = true
		}
	}
	return changed
}

func operationsOf(c *ir.Catalog, document string) []*ir.Operation {
	var out []*ir.Operation
	for _, op := range c.Operations {
		if op.Document == document {
			out = append(out, op)
		}
	}
	return out
}

// clientProblems says which operations have no Go types, and what to decide.
func clientProblems(err error, ops []*ir.Operation, d *ir.Document) spec.Problems {
	var problems spec.Problems
	var failure *clients.Failure
	if errors.As(err, &failure) {
		for _, op := range ops {
			if slices.Contains(failure.Operations, op.Key) {
				problems = append(problems, spec.Problem{
					Pos: op.Pos, Rule: "E-09", Message: op.Key + " has no Go types: " + failure.Error(),
					Hint: `add "body": "raw" to its decision: its JSON Schema stays the type check`,
				})
			}
		}
	}
	if len(problems) == 0 {
		problems = spec.Problems{{
			Pos: spec.Pos{File: manifestFile}, Rule: "E-09", Message: "document " + d.Name + " has no client: " + err.Error(),
		}}
	}
	return problems
}
