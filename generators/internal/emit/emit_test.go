package emit

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// clause: E-07, E-51
func TestCatalog(t *testing.T) {
	t.Parallel()
	for _, c := range []*ir.Catalog{platform(t), desk(t)} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			files, err := Catalog(c)
			if err != nil {
				t.Fatal(err)
			}
			golden := []string{"catalog.go", "inputs.go", "dispatch.go", "parity.md"}
			for _, name := range golden {
				want := filepath.Join("testdata", c.Name, name+".golden")
				got := files[c.Name+"/"+name]
				if *update {
					if err := os.MkdirAll(filepath.Dir(want), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(want, got, 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				text, err := os.ReadFile(want)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(text), string(got)); diff != "" {
					t.Errorf("%s (run with -update if it is meant):\n%s", name, diff)
				}
			}
			want := []string{c.Name + "/openapi.json"}
			for _, name := range golden {
				want = append(want, c.Name+"/"+name)
			}
			for _, op := range c.Operations {
				want = append(want, c.Name+"/schemas/"+op.Tool+".json")
			}
			slices.Sort(want)
			var got []string
			for name := range files {
				got = append(got, name)
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
