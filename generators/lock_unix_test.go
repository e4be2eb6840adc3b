//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package generators

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Commands on one module wait for each other: none fails, no decision is lost.
//
// clause: E-06
func TestTogether(t *testing.T) {
	t.Parallel()
	const operations = 6
	dir := t.TempDir()
	var paths, decisions strings.Builder
	for i := range operations {
		fmt.Fprintf(&paths, "  /a%d: {get: {responses: {\"200\": {description: ok}}}}\n", i)
		fmt.Fprintf(&decisions, ",\n\"GET /a%d\": {\"tool\": \"a%d\", \"scope\": \"x:read\", \"effect\": \"read\", \"undecided\": true}", i, i)
	}
	for name, text := range map[string]string{
		"go.mod":   "module example.com/m\n",
		"api.yaml": "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n" + paths.String(),
		"manifest.json": `{"catalogs": {"x": {"binding": "http",
"documents": {"x": {"files": ["api.yaml"], "owner": "x"}},
"operations": {"x": {` + decisions.String()[1:] + `}}}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	together := func(command func(i int) []string) {
		t.Helper()
		var wg sync.WaitGroup
		for i := range operations {
			wg.Go(func() {
				var stderr bytes.Buffer
				args := append([]string{"-C", dir}, command(i)...)
				if code := Main(args, nil, &bytes.Buffer{}, &stderr); code != 0 {
					t.Errorf("%v: exit code %d\n%s", args[2:], code, &stderr)
				}
			})
		}
		wg.Wait()
	}
	together(func(i int) []string { return []string{"accept", fmt.Sprintf("a%d", i)} })
	together(func(int) []string { return []string{"generate"} })
	together(func(int) []string { return []string{"check"} })
}
