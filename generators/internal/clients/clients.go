package clients

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// Input is what one client package is made of.
type Input struct {
	Document   *normalise.Document
	Package    string          // name of the Go package
	Operations []*ir.Operation // the tools of this document, of whatever catalog
	// Others are the operations that are no tools; a server has them too.
	Others []*normalise.Operation
	Client bool   // print request builders
	Server bool   // print server interfaces
	Header string // comment that the file starts with
}

//go:embed templates
var templates embed.FS

// generating keeps calls apart: oapi-codegen has global state.
var generating sync.Mutex

// Generate returns the Go file of the package, formatted. It also fills in
// what later stages print: GoName and GoType of the parameters, and GoType of
// bodies (with Free) and replies of in.Operations, "" where a value stays the
// bytes it is. Its error is a *Failure.
func Generate(in Input) ([]byte, error) {
	d := build(in)
	code, err := d.run()
	if err != nil {
		return nil, d.failure(err)
	}
	file, err := finish(in.Header, in.about(), wireHeaders(code))
	if err != nil {
		return nil, d.failure(err)
	}
	return file, nil
}

// about ends the sentence that starts with the name of the package.
func (in Input) about() string {
	parts := []string{"the types"}
	if in.Client {
		parts = append(parts, "request builders")
	}
	if in.Server {
		parts = append(parts, "server interfaces")
	}
	list := strings.Join(parts, ", ")
	if i := strings.LastIndex(list, ", "); i >= 0 {
		list = list[:i] + " and " + list[i+2:]
	}
	return "has " + list + " of the document " + prose(in.Document.Name) + "."
}

// run hands the code-generation document to oapi-codegen.
func (d *document) run() (code string, err error) {
	var doc openapi3.T
	if err := json.Unmarshal(d.json(), &doc); err != nil {
		return "", err
	}
	if err := openapi3.NewLoader().ResolveRefsIn(&doc, nil); err != nil {
		return "", err
	}
	options, err := d.options()
	if err != nil {
		return "", err
	}
	generating.Lock()
	defer generating.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("oapi-codegen: %v", p)
		}
	}()
	return codegen.Generate(&doc, options)
}

func (d *document) options() (codegen.Configuration, error) {
	user := map[string]string{}
	files, err := fs.ReadDir(templates, "templates")
	if err != nil {
		return codegen.Configuration{}, err
	}
	for _, file := range files {
		text, err := fs.ReadFile(templates, "templates/"+file.Name())
		if err != nil {
			return codegen.Configuration{}, err
		}
		user[file.Name()] = string(text)
	}
	var mapping codegen.TypeMapping
	mapping.Integer.Default.Type = scalars[integer].goType
	mapping.Number.Default.Type = scalars[number].goType
	return codegen.Configuration{
		PackageName: d.in.Package,
		Generate: codegen.GenerateOptions{
			Models: true, Client: d.in.Client, StdHTTPServer: d.in.Server, Strict: d.in.Server,
		},
		OutputOptions: codegen.OutputOptions{
			SkipFmt:                   true,
			SkipPrune:                 true,
			SkipEnumValidate:          true,
			UserTemplates:             user,
			TypeMapping:               &mapping,
			DisableTypeAliasesForType: []string{"array"}, // a list of itself is no alias
			PreferSkipOptionalPointerOnContainerTypes: true,
		},
		AllowRemoteRefsFrom: []string{},
	}, nil
}
