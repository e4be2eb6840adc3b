package clients

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// packages are what generated code may import, by the name it uses.
var packages = map[string]string{
	"bytes":     "bytes",
	"context":   "context",
	"errors":    "errors",
	"fmt":       "fmt",
	"http":      "net/http",
	"io":        "io",
	"json":      "encoding/json",
	"mime":      "mime",
	"multipart": "mime/multipart",
	"runtime":   "github.com/oapi-codegen/runtime",
	"strings":   "strings",
	"time":      "time",
	"tool":      "github.com/pharos-mcp/pharos/edge/tool",
	"url":       "net/url",
}

// finish turns what the templates printed into a file: the header in front,
// what the package is about, the imports it uses, formatted.
func finish(header, about, code string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", code, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && packages[x.Name] != "" {
				used[packages[x.Name]] = true
			}
		}
		return true
	})
	var b bytes.Buffer
	if header = strings.TrimSpace(header); header != "" {
		b.WriteString(header + "\n\n")
	}
	b.WriteString("// " + strings.ReplaceAll(wrap("Package "+file.Name.Name+" "+about, 0), "\n", "\n// ") + "\n")
	fmt.Fprintf(&b, "package %s\n\n", file.Name.Name)
	b.WriteString(imports(used))
	b.WriteString(code[fset.Position(file.Name.End()).Offset:])
	return format.Source(b.Bytes())
}

// imports prints an import declaration, the standard library first.
func imports(used map[string]bool) string {
	if len(used) == 0 {
		return ""
	}
	var std, others []string
	for _, path := range sortedKeys(used) {
		if strings.Contains(path, ".") {
			others = append(others, path)
		} else {
			std = append(std, path)
		}
	}
	var b strings.Builder
	b.WriteString("import (\n")
	for i, group := range slices.DeleteFunc([][]string{std, others}, func(g []string) bool { return len(g) == 0 }) {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, path := range group {
			fmt.Fprintf(&b, "\t%q\n", path)
		}
	}
	b.WriteString(")\n")
	return b.String()
}
