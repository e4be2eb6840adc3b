package emit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// TestLinesFit: generated Go keeps within 100 columns for the longest name a
// tool may have.
func TestLinesFit(t *testing.T) {
	t.Parallel()
	for _, c := range []*ir.Catalog{platform(t), desk(t)} {
		for _, op := range c.Operations {
			op.Tool = op.Tool + strings.Repeat("x", 64-len(op.Tool))
			op.GoName = op.GoName + strings.Repeat("x", 60-len(op.GoName))
			if op.Body != nil && op.Body.GoType != "" {
				op.Body.GoType = op.GoName + "BodyModel"
			}
			op.ID = strings.Repeat("0123456789", 20)
		}
		files, err := Catalog(c)
		if err != nil {
			t.Fatal(err)
		}
		for name, source := range files {
			if !strings.HasSuffix(name, ".go") {
				continue
			}
			for i, line := range strings.Split(string(source), "\n") {
				line = strings.ReplaceAll(line, "\t", strings.Repeat(" ", tab))
				if n := utf8.RuneCountInString(line); n > width {
					t.Errorf("%s:%d has %d columns: %s", name, i+1, n, line)
				}
			}
		}
	}
}

// TestSources: a head names a few files, not hundreds.
func TestSources(t *testing.T) {
	t.Parallel()
	var many []string
	for range 300 {
		many = append(many, "api/digitalocean/resources/a file.yaml")
	}
	lines := sources(many)
	if len(lines) > 4 || !strings.HasSuffix(lines[len(lines)-1], "and 295 more") {
		t.Errorf("%q", lines)
	}
	for _, line := range sources([]string{strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 57), strings.Repeat("d", 39)}) {
		if n := len("// " + line); n > width {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if sources(nil) != nil {
		t.Error("a head without sources names some")
	}
}
