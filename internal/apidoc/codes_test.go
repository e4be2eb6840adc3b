package apidoc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// TestCodes: what a fault can say, some document says that it may, and no
// document says what no fault can.
func TestCodes(t *testing.T) {
	t.Parallel()
	bundles, err := filepath.Glob(filepath.Join(root, "generated", "*", "*openapi.json"))
	if err != nil || len(bundles) == 0 {
		t.Fatalf("%d documents, %v", len(bundles), err)
	}
	var known []fault.Code
	for _, name := range bundles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var document struct {
			Components struct {
				Schemas map[string]struct{ Enum []any }
			}
		}
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, value := range document.Components.Schemas["ProblemCode"].Enum {
			text, _ := value.(string)
			code := fault.Code(text)
			if !slices.Contains(fault.Codes(), code) {
				t.Errorf("%s: no fault has the code %q", name, code)
			}
			known = append(known, code)
		}
	}
	for _, code := range fault.Codes() {
		if !slices.Contains(known, code) {
			t.Errorf("no document declares the code %q", code)
		}
	}
}
