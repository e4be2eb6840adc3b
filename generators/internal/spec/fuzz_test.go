package spec_test

import (
	"encoding/json"
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// FuzzParse checks that any input is read or refused, and that what is read is
// written as JSON which reads the same again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "a: 1", "[1, 2.5e3]", "a: &x {b: *x}", "<<: {a: 1}", "- - - a", "? [a]\n: b", "{\"a\":\"\\ud800\"}",
		"a: !!int x", "&a [*a]", "--- 1\n--- 2", "%YAML 1.2\n---\na: b", "a: |\n  b\n c", "\ufeffa: 1", "'\\x00': 0x_1",
	} {
		f.Add("a.yaml", []byte(seed))
		f.Add("a.json", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, file string, data []byte) {
		n, err := spec.Parse(file, data)
		if err != nil {
			if ps, ok := err.(spec.Problems); !ok || len(ps) == 0 {
				t.Fatalf("the error is a %T: %v", err, err)
			}
			return
		}
		written := n.AppendJSON(nil)
		if !json.Valid(written) {
			t.Fatalf("written as %q", written)
		}
		again, err := spec.Parse("again.json", written)
		if err != nil {
			t.Fatalf("%q does not read again: %v", written, err)
		}
		if !n.Equal(again) {
			t.Errorf("%q reads differently again", written)
		}
	})
}
