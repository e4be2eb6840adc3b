package emit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// clients stand in for the client packages of the samples.
var clients = map[string]string{
	"example.com/shop/generated/platformapi": `package platformapi
import (
	"encoding/json"
	"net/http"
	"github.com/pharos-mcp/pharos/edge/tool"
)
type CloseSupportTicketBodyModel struct{}
type TicketModel struct{}
type CloseSupportTicketParams struct{}
type SendNoteToEverybodyWhoEverHadAnythingToDoWithATicketParams struct{}
func NewCloseSupportTicketRequest(base string, id string, params *CloseSupportTicketParams, body tool.Payload) (*http.Request, error) { return nil, nil }
func NewDeleteObjectRequest(base string, bucket int64, key string) (*http.Request, error) { return nil, nil }
func NewListEverythingRequest(base string) (*http.Request, error) { return nil, nil }
func NewPutObjectRequest(base string, bucket json.Number, body tool.Payload) (*http.Request, error) { return nil, nil }
func NewSendNoteToEverybodyWhoEverHadAnythingToDoWithATicketRequest(base string, params *SendNoteToEverybodyWhoEverHadAnythingToDoWithATicketParams, body tool.Payload) (*http.Request, error) { return nil, nil }
`,
	"example.com/shop/generated/deskapi": `package deskapi
type UpdateNoteParams struct{ DryRun *bool }
type UpdateNoteBodyModel struct{}
type NoteModel struct{}
`,
}

// TestCompiles type-checks what is printed, in every combination of binding
// and input.
//
// clause: E-07
func TestCompiles(t *testing.T) {
	t.Parallel()
	check := newChecker(t)
	for _, c := range []*ir.Catalog{platform(t), desk(t)} {
		for _, binding := range []string{"http", "handler"} {
			for _, input := range []string{"grouped", "top"} {
				if c.Name == "desk" && binding == "http" {
					continue // its client package has no requests
				}
				c.Binding, c.Input = binding, input
				files, err := Catalog(c)
				if err != nil {
					t.Fatal(err)
				}
				if err := check.catalog(c, files); err != nil {
					t.Errorf("%s, %s, %s: %v", c.Name, binding, input, err)
				}
			}
		}
	}
}

// TestCompilesEmpty: a catalog whose operations are all excluded is Go too.
func TestCompilesEmpty(t *testing.T) {
	t.Parallel()
	check := newChecker(t)
	for _, binding := range []string{"http", "handler"} {
		c := platform(t)
		c.Binding, c.Operations = binding, nil
		files, err := Catalog(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := check.catalog(c, files); err != nil {
			t.Errorf("%s: %v", binding, err)
		}
	}
}

// checker type-checks generated packages against the real run time.
type checker struct {
	fset *token.FileSet
	base types.Importer
	made map[string]*types.Package
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}",
		runtime, "embed", "io/fs", "net/http", "encoding/json", "fmt", "context")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		exports[name] = file
	}
	c := &checker{fset: token.NewFileSet(), made: map[string]*types.Package{}}
	c.base = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		file, ok := exports[path]
		if !ok {
			return nil, fmt.Errorf("%s is not imported by generated code", path)
		}
		return os.Open(file)
	})
	return c
}

// Import implements types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	source, ok := clients[path]
	if !ok {
		return c.base.Import(path)
	}
	if p, ok := c.made[path]; ok {
		return p, nil
	}
	p, err := c.check(path, map[string][]byte{"client.go": []byte(source)})
	c.made[path] = p
	return p, err
}

func (c *checker) catalog(cat *ir.Catalog, files map[string][]byte) error {
	sources := map[string][]byte{}
	for name, source := range files {
		if strings.HasSuffix(name, ".go") {
			sources[name] = source
		}
	}
	_, err := c.check(cat.Module+"/generated/"+cat.Name, sources)
	return err
}

func (c *checker) check(path string, sources map[string][]byte) (*types.Package, error) {
	var parsed []*ast.File
	for name, source := range sources {
		f, err := parser.ParseFile(c.fset, name, bytes.NewReader(source), parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	config := types.Config{Importer: c}
	return config.Check(path, c.fset, parsed, nil)
}
