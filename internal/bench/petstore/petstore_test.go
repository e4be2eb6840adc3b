package petstore

import (
	"io"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/generators"
)

// TestGenerated: what is measured is what mcpgen makes of the document and the
// manifest today.
func TestGenerated(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	if code := generators.Main([]string{"check"}, nil, io.Discard, &stderr); code != 0 {
		t.Errorf("mcpgen check: exit code %d (run go generate here)\n%s", code, &stderr)
	}
}
