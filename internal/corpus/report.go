package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/internal/measure"
)

// result is how one document fared.
type result struct {
	name    string
	refused string // the true reason, "" if it was not refused
	fault   string // what went wrong, "" if nothing did
	counts
	tools    int // that the client listed
	generate measure.Run
	build    measure.Run
	total    time.Duration
}

// unsupportedShare is the share of operations without a tool above which a
// document counts as a fault.
const unsupportedShare = 0.02

// verdict settles what the numbers mean for a document that is served.
func (r *result) verdict() {
	switch {
	case r.tools != r.decided:
		r.fault = fmt.Sprintf("%d tools listed, %d decided", r.tools, r.decided)
	case float64(len(r.unsupported)) > unsupportedShare*float64(r.operations):
		r.fault = fmt.Sprintf("%d of %d operations have no tool", len(r.unsupported), r.operations)
	}
}

// linesEach is generated lines for an operation.
func (r result) linesEach() float64 {
	if r.tools == 0 {
		return 0
	}
	return float64(r.lines) / float64(r.tools)
}

// String is one line for the document, and one below it for each thing to know.
func (r result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s", r.name)
	switch {
	case r.refused != "":
		fmt.Fprintf(&b, " refused: %s\n", r.refused)
		return b.String()
	case r.fault != "" && r.operations == 0:
		fmt.Fprintf(&b, " FAULT: %s\n", r.fault)
		return b.String()
	}
	fmt.Fprintf(&b, " %4d operations %4d tools  bodies %3d typed %2d raw %2d free", r.operations, r.tools, r.typed, r.raw, r.free)
	fmt.Fprintf(&b, "  generate %5.1f s %4d MiB  build %5.1f s  total %5.1f s  %4.1f lines an operation\n",
		r.generate.Took.Seconds(), r.generate.Peak>>20, r.build.Took.Seconds(), r.total.Seconds(), r.linesEach())
	for _, u := range r.unsupported {
		fmt.Fprintf(&b, "\tno tool: %s\n", u)
	}
	if r.fault != "" {
		fmt.Fprintf(&b, "\tFAULT: %s\n", r.fault)
	}
	return b.String()
}

// preface explains the table to its reader.
const preface = `# Corpus

What ` + "`make corpus CORPUS=DIR TABLE=docs/corpus.md`" + ` measured. Each document was taken from ` + "`mcpgen init --project`" + ` over
` + "`accept --all`, `generate`, `go build` and `go vet`" + ` to a running server, whose tools go-sdk's client listed.

Tools are what was listed. Bodies are typed if their Go type says something, raw if it does not although the schema does, free if the
schema admits anything. Peak is the largest resident size of ` + "`mcpgen generate`" + `; lines are those of catalog, inputs and dispatch for
each tool. A document that is refused lacks files, has no operations, or is of a version that is not supported.

`

// table renders the results as a page of Markdown.
func table(results []result) []byte {
	var b strings.Builder
	var missing []string
	b.WriteString(preface)
	b.WriteString("| document | operations | tools | typed | raw | free | generate s | peak MiB | build s | total s | lines |\n")
	b.WriteString("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, r := range results {
		switch {
		case r.refused != "":
			fmt.Fprintf(&b, "| %s | refused: %s | | | | | | | | | |\n", r.name, cell(r.refused))
		case r.fault != "":
			fmt.Fprintf(&b, "| %s | fault: %s | | | | | | | | | |\n", r.name, cell(r.fault))
		default:
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %.1f | %d | %.1f | %.1f | %.1f |\n",
				r.name, r.operations, r.tools, r.typed, r.raw, r.free, r.generate.Took.Seconds(),
				r.generate.Peak>>20, r.build.Took.Seconds(), r.total.Seconds(), r.linesEach())
		}
	}
	for _, r := range results {
		for _, u := range r.unsupported {
			missing = append(missing, fmt.Sprintf("- %s, %s", r.name, cell(u)))
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(&b, "\nOperations that no tool can carry:\n\n%s\n", strings.Join(missing, "\n"))
	}
	fmt.Fprintf(&b, "\n```\n%s```\n", sum(results))
	return []byte(b.String())
}

// cell keeps a text on one line of a table.
func cell(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.ReplaceAll(line, "|", `\|`)
}

// totals add up the documents.
type totals struct {
	documents, carried, refused int
	operations, tools           int
	typed, raw, free            int
}

func sum(results []result) totals {
	var t totals
	for _, r := range results {
		if r.refused != "" {
			t.refused++
			continue
		}
		t.documents++
		t.operations += r.operations
		if r.fault != "" {
			continue
		}
		t.carried++
		t.tools += r.tools
		t.typed += r.typed
		t.raw += r.raw
		t.free += r.free
	}
	return t
}

func (t totals) failed() bool { return t.carried < t.documents || t.documents == 0 }

// String is the closing lines.
func (t totals) String() string {
	share := 100.0
	if t.typed+t.raw > 0 {
		share = 100 * float64(t.typed) / float64(t.typed+t.raw)
	}
	return fmt.Sprintf("%d refused for a true reason\n", t.refused) +
		fmt.Sprintf("bodies: %d of %d typed (%.1f %%), %d free-form beside them\n", t.typed, t.typed+t.raw, share, t.free) +
		fmt.Sprintf("%d of %d documents, %d of %d operations\n", t.carried, t.documents, t.tools, t.operations)
}
