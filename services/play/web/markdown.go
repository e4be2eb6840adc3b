package web

import (
	"bytes"
	"html/template"
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown makes what people and models wrote into HTML that can do nothing:
// HTML in it is shown as text, pictures are links, links lead over HTTP or to
// an address of mail, and headings stand below those of the page, under levels
// that are the page's own. It is the one place whose result templates take as
// HTML.
func markdown(source string, under int) template.HTML {
	m := goldmark.New(
		goldmark.WithExtensions(
			extension.Strikethrough,
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
		),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(demote(under), 100))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(literal{}, 100))),
	)
	var made bytes.Buffer
	if err := m.Convert([]byte(source), &made); err != nil {
		return template.HTML(template.HTMLEscapeString(source)) // writing into memory does not fail
	}
	return template.HTML(sanitizer.SanitizeBytes(made.Bytes()))
}

// sanitizer is the second lock: it lets nothing through that markdown does not
// make.
var sanitizer = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(
		"p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "del",
		"table", "thead", "tbody", "tr", "th", "td",
	)
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,9}$`)).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(false)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}()

// demote moves headings below the page's, so that none skips a level, and makes
// pictures links.
type demote int

// Transform implements parser.ASTTransformer.
func (d demote) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var pictures []*ast.Image
	var open []int // the levels of the headings that the next one may stand below
	// The walk itself returns no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			for len(open) > 0 && open[len(open)-1] >= n.Level {
				open = open[:len(open)-1]
			}
			open = append(open, n.Level)
			n.Level = min(int(d)+len(open), 6)
		case *ast.Image:
			pictures = append(pictures, n)
		}
		return ast.WalkContinue, nil
	})
	for _, picture := range pictures {
		to := ast.NewLink()
		to.Destination, to.Title = picture.Destination, nil
		for child := picture.FirstChild(); child != nil; {
			next := child.NextSibling()
			to.AppendChild(to, child)
			child = next
		}
		picture.Parent().ReplaceChild(picture.Parent(), picture, to)
	}
}

// literal shows HTML as the text that it is.
type literal struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (literal) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		block := n.(*ast.HTMLBlock)
		if !entering {
			return ast.WalkContinue, nil
		}
		_, _ = w.WriteString("<pre><code>")
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			_, _ = w.Write(util.EscapeHTML(line.Value(source)))
		}
		if block.HasClosure() {
			_, _ = w.Write(util.EscapeHTML(block.ClosureLine.Value(source)))
		}
		_, _ = w.WriteString("</code></pre>\n")
		return ast.WalkSkipChildren, nil
	})
	to.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			raw := n.(*ast.RawHTML)
			for i := range raw.Segments.Len() {
				segment := raw.Segments.At(i)
				_, _ = w.Write(util.EscapeHTML(segment.Value(source)))
			}
		}
		return ast.WalkSkipChildren, nil
	})
}
