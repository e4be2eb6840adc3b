package schema

import (
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// printer writes JSON with a tab a level. Arrays of scalars stay on one line.
type printer struct {
	out   []byte
	depth int
}

func (p *printer) newline() {
	p.out = append(p.out, '\n')
	for range p.depth {
		p.out = append(p.out, '\t')
	}
}

func (p *printer) member(name string, v *spec.Node) {
	p.out = spec.NewString(name).AppendJSON(p.out)
	p.out = append(p.out, ": "...)
	p.value(v)
}

func (p *printer) value(n *spec.Node) {
	switch {
	case n.Kind == spec.Object && len(n.Members) > 0:
		p.out = append(p.out, '{')
		p.depth++
		for i, m := range n.Members {
			if i > 0 {
				p.out = append(p.out, ',')
			}
			p.newline()
			p.member(m.Name, m.Value)
		}
		p.depth--
		p.newline()
		p.out = append(p.out, '}')
	case n.Kind == spec.Array && !scalars(n):
		p.out = append(p.out, '[')
		p.depth++
		for i, item := range n.Items {
			if i > 0 {
				p.out = append(p.out, ',')
			}
			p.newline()
			p.value(item)
		}
		p.depth--
		p.newline()
		p.out = append(p.out, ']')
	case n.Kind == spec.Array:
		p.out = append(p.out, '[')
		for i, item := range n.Items {
			if i > 0 {
				p.out = append(p.out, ", "...)
			}
			p.out = item.AppendJSON(p.out)
		}
		p.out = append(p.out, ']')
	default:
		p.out = n.AppendJSON(p.out)
	}
}

func scalars(n *spec.Node) bool {
	for _, item := range n.Items {
		if item.Kind == spec.Object || item.Kind == spec.Array {
			return false
		}
	}
	return true
}
