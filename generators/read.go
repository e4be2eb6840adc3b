package generators

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/resolve"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// input is everything that a generation reads.
type input struct {
	manifest  *manifest.Manifest
	documents map[string]map[string]*normalise.Document // by catalog and name
	committed resolve.Committed
	problems  spec.Problems // of documents that could not be loaded
}

// read loads the manifest, every document and what the generated folder says
// of earlier names. Faults of documents are kept, so that they are reported
// together with those of the decisions.
func read(root fs.FS) (*input, error) {
	m, err := readManifest(root)
	if err != nil {
		return nil, err
	}
	in := &input{manifest: m, documents: map[string]map[string]*normalise.Document{}, committed: resolve.Committed{}}
	for _, c := range m.Catalogs {
		in.documents[c.Name] = map[string]*normalise.Document{}
		for _, d := range c.Documents {
			doc, err := loadDocument(root, d)
			var problems spec.Problems
			if errors.As(err, &problems) {
				in.problems = append(in.problems, problems...)
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("document %s: %w", d.Name, err)
			}
			in.documents[c.Name][d.Name] = doc
		}
		in.committed[c.Name] = committed(root, c.Name)
	}
	return in, nil
}

func readManifest(root fs.FS) (*manifest.Manifest, error) {
	data, err := fs.ReadFile(root, manifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, spec.Problems{{
			Pos: spec.Pos{File: manifestFile}, Rule: "manifest", Message: "there is no manifest",
			Hint: "run mcpgen init SPEC to write a first one",
		}}
	}
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return nil, spec.Problems{{
			Pos: spec.Pos{File: manifestFile}, Rule: "manifest", Message: "the file cannot be read: " + fault.Err.Error(),
		}}
	}
	if err != nil {
		return nil, err
	}
	return manifest.Parse(manifestFile, data)
}

func loadDocument(root fs.FS, d *manifest.Document) (*normalise.Document, error) {
	return normalise.Load(root, normalise.Config{Name: d.Name, Files: d.Files, References: d.References})
}

// resolve applies the decisions; faults of documents join those it finds.
func (in *input) resolve(module string) ([]*ir.Catalog, error) {
	catalogs, err := resolve.Resolve(in.manifest, in.documents, in.committed, module)
	var problems spec.Problems
	if err != nil && !errors.As(err, &problems) {
		return nil, err
	}
	if all := append(problems, in.problems...); len(all) > 0 {
		all.Sort()
		return nil, all
	}
	return catalogs, nil
}

// committed reads the tools of a catalog as they were generated last. A file
// that is not one of ours says nothing.
func committed(root fs.FS, catalog string) []resolve.CommittedTool {
	names, err := fs.Glob(root, path.Join(outputFolder, catalog, "schemas", "*.json"))
	if err != nil {
		return nil // the pattern is a constant
	}
	var tools []resolve.CommittedTool
	for _, name := range names {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			continue
		}
		var tool struct {
			Name      string   `json:"name"`
			Was       []string `json:"was"`
			Document  string   `json:"document"`
			Operation string   `json:"operation"`
		}
		if json.Unmarshal(data, &tool) == nil && tool.Name != "" {
			tools = append(tools, resolve.CommittedTool{
				Name: tool.Name, Was: tool.Was, Document: tool.Document, Key: tool.Operation,
			})
		}
	}
	return tools
}
