package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Names of files stand in generated comments and in messages: one that would
// begin a line there is refused.
//
// clause: E-51
func TestFileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a\nfunc init() {}\nb.json", "a\u202eb.json", "a\x1bb.json"} {
		s := spec.NewSource(fstest.MapFS{name: {Data: []byte("{}")}}, nil)
		if _, err := s.File(name); err == nil || !strings.Contains(err.Error(), "cannot be seen") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
