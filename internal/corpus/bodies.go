package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// bodyTypes finds the Go type that generated code gives to each request body,
// by the tool's name. Its own names are followed into the client packages, so
// that a name for anything at all shows as that.
func bodyTypes(catalog string) (map[string]string, error) {
	files := token.NewFileSet()
	inputs, err := parser.ParseFile(files, filepath.Join(catalog, "inputs.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	named := map[string]string{}
	clients, err := filepath.Glob(filepath.Join(filepath.Dir(catalog), "*api", "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range clients {
		client, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for spec := range typeSpecs(client) {
			named[client.Name.Name+"."+spec.Name.Name] = qualified(spec.Type, client.Name.Name)
		}
	}
	found := map[string]string{}
	for spec := range typeSpecs(inputs) {
		if body := bodyOf(spec); body != nil {
			found[strings.TrimSuffix(spec.Name.Name, "Input")] = follow(types.ExprString(body), named)
		}
	}
	return found, nil
}

// typeSpecs iterates over the types that a file declares.
func typeSpecs(file *ast.File) func(func(*ast.TypeSpec) bool) {
	return func(yield func(*ast.TypeSpec) bool) {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if t, ok := s.(*ast.TypeSpec); ok && !yield(t) {
					return
				}
			}
		}
	}
}

// bodyOf returns T of a field "Body tool.Body[T]", or nil.
func bodyOf(spec *ast.TypeSpec) ast.Expr {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range structure.Fields.List {
		if index, ok := f.Type.(*ast.IndexExpr); ok && types.ExprString(index.X) == "tool.Body" {
			return index.Index
		}
	}
	return nil
}

// qualified renders a type, a name of the same package with its package.
func qualified(e ast.Expr, pkg string) string {
	if name, ok := e.(*ast.Ident); ok && ast.IsExported(name.Name) {
		return pkg + "." + name.Name
	}
	return types.ExprString(e)
}

// follow resolves a name as long as it only stands for another type.
func follow(goType string, named map[string]string) string {
	for range len(named) + 1 {
		next, ok := named[goType]
		if !ok || strings.HasPrefix(next, "struct") {
			break
		}
		goType = next
	}
	return goType
}

// erased reports whether a Go type says nothing about a value, but that it may
// be a list or an object.
func erased(goType string) bool {
	for {
		trimmed := strings.TrimPrefix(strings.TrimPrefix(goType, "[]"), "map[string]")
		if trimmed == goType {
			break
		}
		goType = trimmed
	}
	return goType == "json.RawMessage" || goType == "any" || goType == "interface{}"
}

// toolSchema is what counts here of a tool's file.
type toolSchema struct {
	Name  string `json:"name"`
	Input struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Defs       map[string]json.RawMessage `json:"$defs"`
	} `json:"inputSchema"`
}

// readTools reads the schemas of a catalog's tools.
func readTools(catalog string) ([]toolSchema, error) {
	names, err := filepath.Glob(filepath.Join(catalog, "schemas", "*.json"))
	if err != nil {
		return nil, err
	}
	var tools []toolSchema
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var t toolSchema
		if err := json.Unmarshal(data, &t); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		tools = append(tools, t)
	}
	return tools, nil
}
