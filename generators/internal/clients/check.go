package clients

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
)

// Check type-checks a file that Generate made of the same input, in process:
// it needs neither a compiler nor the sources of what the file imports, whose
// names it takes on trust. Its error is a *Failure.
func Check(in Input, source []byte) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, in.Package+".go", source, parser.SkipObjectResolution)
	if err != nil {
		return in.blame(err, nil, func(string, map[string]bool) {})
	}
	var first error
	names := map[string]bool{}
	config := types.Config{Importer: trusting{}, Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) || trusted(file, e.Pos) {
			return
		}
		if first == nil {
			first = err
		}
		names[declared(file, e.Pos)] = true
	}}
	_, _ = config.Check(in.Package, fset, []*ast.File{file}, nil) // errors arrive above
	if first == nil {
		return nil
	}
	mentions := mentioned(file)
	var reach func(name string, set map[string]bool)
	reach = func(name string, set map[string]bool) {
		if set[name] || mentions[name] == nil {
			return
		}
		set[name] = true
		for other := range mentions[name] {
			reach(other, set)
		}
	}
	return in.blame(first, names, reach)
}

// trusting imports encoding/json as far as generated code uses it. Any other
// package fails to import, after which the type checker accepts whatever is
// selected from it.
type trusting struct{}

var errTrusted = errors.New("taken on trust")

func (trusting) Import(path string) (*types.Package, error) {
	if path == "encoding/json" {
		return stub()
	}
	return nil, errTrusted
}

// stub is a package encoding/json whose functions do nothing.
var stub = sync.OnceValues(func() (*types.Package, error) {
	const source = `package json
type RawMessage []byte
func (RawMessage) MarshalJSON() ([]byte, error) { return nil, nil }
func (*RawMessage) UnmarshalJSON([]byte) error { return nil }
type Number string
func Marshal(any) ([]byte, error) { return nil, nil }
func Unmarshal([]byte, any) error { return nil }
type Encoder struct{}
func NewEncoder(any) *Encoder { return nil }
func (*Encoder) Encode(any) error { return nil }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "json.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check("encoding/json", fset, []*ast.File{file}, nil)
})

// trusted reports whether a place is an import.
func trusted(file *ast.File, pos token.Pos) bool {
	for _, spec := range file.Imports {
		if spec.Pos() <= pos && pos <= spec.End() {
			return true
		}
	}
	return false
}

// declared is the name of the type or function that a place belongs to; a
// method belongs to its type.
func declared(file *ast.File, pos token.Pos) string {
	for _, decl := range file.Decls {
		if pos < decl.Pos() || decl.End() < pos {
			continue
		}
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			return owner(decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && spec.Pos() <= pos && pos <= spec.End() {
					return t.Name.Name
				}
			}
		}
	}
	return ""
}

func owner(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return f.Name.Name
}

// mentioned maps each declared type to the names in its declaration.
func mentioned(file *ast.File) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, decl := range file.Decls {
		types, ok := decl.(*ast.GenDecl)
		if !ok || types.Tok != token.TYPE {
			continue
		}
		for _, spec := range types.Specs {
			spec := spec.(*ast.TypeSpec)
			names := map[string]bool{}
			ast.Inspect(spec.Type, func(n ast.Node) bool {
				if x, ok := n.(*ast.Ident); ok {
					names[x.Name] = true
				}
				return true
			})
			out[spec.Name.Name] = names
		}
	}
	return out
}
