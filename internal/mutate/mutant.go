package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

// mutant is a source file without one of its checks.
type mutant struct {
	file   string
	place  string // file:line
	line   string // FUNCTION: what was there, to name it
	source []byte
}

// edit is a change of source text.
type edit struct {
	from, to token.Pos
	text     string
}

// mutantsOf returns every mutant of a file, in the order of their places.
func mutantsOf(file string) ([]mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var mutants []mutant
	function := ""
	ast.Inspect(tree, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok {
			function = f.Name.Name
		}
		for _, e := range edits(n, func(from, to token.Pos) string { return string(source[at(from):at(to)]) }) {
			start := bytes.LastIndexByte(source[:at(e.from)], '\n') + 1
			end := start + bytes.IndexByte(source[start:], '\n')
			mutants = append(mutants, mutant{
				file:   file,
				place:  fmt.Sprintf("%s:%d", file, set.Position(e.from).Line),
				line:   function + ": " + string(bytes.TrimSpace(source[start:end])),
				source: bytes.Join([][]byte{source[:at(e.from)], []byte(e.text), source[at(e.to):]}, nil),
			})
		}
		return true
	})
	return mutants, nil
}

// edits are the ways to take the check out that a node is.
func edits(n ast.Node, text func(from, to token.Pos) string) []edit {
	switch n := n.(type) {
	case *ast.IfStmt:
		if n.Else != nil || len(n.Body.List) != 1 {
			return nil
		}
		if _, returns := n.Body.List[0].(*ast.ReturnStmt); returns {
			condition := text(n.Cond.Pos(), n.Cond.End())
			return append(sides(n.Cond, text), edit{n.Cond.Pos(), n.Cond.End(), "(" + condition + ") && false"})
		}
	case *ast.CallExpr:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Strict" && len(n.Args) == 0 {
			return []edit{{n.Pos(), n.End(), text(s.X.Pos(), s.X.End())}}
		}
		if len(n.Args) == 1 {
			if i, ok := n.Args[0].(*ast.Ident); ok && i.Name == "true" {
				return []edit{{i.Pos(), i.End(), "false"}}
			}
		}
	}
	return nil
}

// sides removes one side of a condition at a time where it says a || b, but
// for a test for nil that guards the other side.
func sides(condition ast.Expr, text func(from, to token.Pos) string) []edit {
	either, ok := condition.(*ast.BinaryExpr)
	if !ok || either.Op != token.LOR {
		return nil
	}
	left, right := text(either.X.Pos(), either.X.End()), text(either.Y.Pos(), either.Y.End())
	list := append(sides(either.X, text), edit{either.Y.Pos(), either.Y.End(), "(" + right + ") && false"})
	if _, nested := either.X.(*ast.BinaryExpr); nested && !guards(either.X) {
		list = append(list, edit{either.X.Pos(), either.X.End(), "(" + left + ") && false"})
	}
	return list
}

// guards reports whether an expression compares with nil.
func guards(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	i, ok := b.Y.(*ast.Ident)
	return ok && i.Name == "nil"
}
