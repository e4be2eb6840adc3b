package resolve

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// argument is what a key in the arguments of a tool may be: what clients and
// model providers accept (E-53).
var argument = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// parameters checks what the decision says of parameters: that each name it
// gives exists, that no credential is an input (E-04), and that every argument
// key is legal and unique (E-53).
func (r *resolver) parameters(b bound) {
	e := b.decision
	for _, name := range e.Drop {
		found := b.find(name)
		switch {
		case len(found) == 0:
			r.problem(e.Place("drop"), "E-04", fmt.Sprintf(`%s has no parameter "%s" to drop`, describe(b.op), name),
				b.known("remove it"))
		case !slices.ContainsFunc(found, func(p *normalise.Parameter) bool { return p.In != "path" }):
			r.problem(e.Place("drop"), "E-04",
				fmt.Sprintf(`path parameter "%s" of %s cannot be dropped`, name, describe(b.op)),
				"without it there is no path: exclude the operation")
		}
	}
	for _, name := range e.AllowSlash {
		if !slices.ContainsFunc(b.find(name), func(p *normalise.Parameter) bool { return p.In == "path" }) {
			r.problem(e.Place("allow_slash"), "E-11", fmt.Sprintf(`%s has no path parameter "%s"`, describe(b.op), name),
				b.known("remove it"))
		}
	}
	for _, p := range b.op.Parameters {
		if b.dropped(p) || p.Injected {
			continue
		}
		name := credential(b.doc, p)
		if name == "" {
			continue
		}
		what := fmt.Sprintf(`takes the credential "%s" (%s) as an input`, name, p.In)
		switch {
		case name != p.Name:
			what = fmt.Sprintf(`takes the credential "%s" as a member of "%s" (%s)`, name, p.Name, p.In)
		case p.In == "header" && tool.OwnHeader(name):
			what = fmt.Sprintf(`takes the header "%s" as an input, which the gateway alone sets`, name)
		}
		r.problem(p.Pos, "E-04", describe(b.op)+" "+what,
			fmt.Sprintf(`add "drop": [%s] to its decision: the gateway sends its own`, literal(p.Name)))
	}
	r.aliases(b)
	r.keys(b)
}

// aliases checks that each alias names one parameter that needs it.
func (r *resolver) aliases(b bound) {
	e := b.decision
	for _, name := range slices.Sorted(maps.Keys(e.Alias)) {
		key := e.Alias[name]
		found := b.find(name)
		switch {
		case len(found) == 0:
			r.problem(e.Place("alias"), "E-53", fmt.Sprintf(`%s has no parameter "%s" to alias`, describe(b.op), name),
				b.known("remove it"))
		case len(found) > 1:
			r.problem(e.Place("alias"), "E-53",
				fmt.Sprintf(`alias "%s" of %s means %d parameters`, name, describe(b.op), len(found)),
				fmt.Sprintf(`write which: "%s %s"`, found[len(found)-1].In, name))
		case !argument.MatchString(key):
			r.problem(e.Place("alias"), "E-53", fmt.Sprintf(`alias "%s" of "%s" is no argument key`, key, name),
				"use letters, digits, _, . and -, at most 64")
		case argument.MatchString(found[0].Name) && !b.ambiguous(found[0]):
			r.problem(e.Place("alias"), "E-53", fmt.Sprintf(`parameter "%s" of %s needs no alias`, name, describe(b.op)),
				"remove it: inputs keep the names of the document")
		}
	}
}

// keys checks that every parameter has a legal argument key of its own.
func (r *resolver) keys(b bound) {
	taken := map[string]*normalise.Parameter{}
	for _, p := range b.op.Parameters {
		if b.dropped(p) {
			continue
		}
		key := b.key(p)
		if !argument.MatchString(key) {
			if !p.Injected {
				r.problem(p.Pos, "E-53",
					fmt.Sprintf(`parameter "%s" (%s) of %s cannot be an argument`, p.Name, p.In, describe(b.op)),
					fmt.Sprintf(`add "alias": {%s: "%s"} to its decision; the wire keeps its name`, literal(p.Name), legal(p.Name)))
			}
			continue
		}
		slot := b.group(p) + " " + key
		if other := taken[slot]; other != nil {
			r.problem(p.Pos, "E-53", fmt.Sprintf(`parameters "%s" (%s) and "%s" (%s) of %s are the same argument "%s"`,
				other.Name, other.In, p.Name, p.In, describe(b.op), key),
				fmt.Sprintf(`add "alias": {%s: "%s"} to its decision`, literal(p.In+" "+p.Name), legal(p.In+"_"+p.Name)))
			continue
		}
		taken[slot] = p
	}
}

// group is which part of the input a parameter stands in.
func (b bound) group(p *normalise.Parameter) string {
	if b.catalog.Binding == "http" && p.In == "path" {
		return "path"
	}
	return "parameters"
}

// key is what stands for the parameter in the arguments.
func (b bound) key(p *normalise.Parameter) string {
	if key, ok := b.decision.Alias[p.In+" "+p.Name]; ok {
		return key
	}
	if key, ok := b.decision.Alias[p.Name]; ok && len(b.find(p.Name)) == 1 {
		return key
	}
	return p.Name
}

// find returns the parameters that a decision means by "NAME" or "IN NAME".
// Header names are the same in any letter case.
func (b bound) find(name string) []*normalise.Parameter {
	var out []*normalise.Parameter
	for _, p := range b.op.Parameters {
		if same(p, p.Name, name) || same(p, p.In+" "+p.Name, name) {
			out = append(out, p)
		}
	}
	return out
}

func same(p *normalise.Parameter, a, b string) bool {
	return a == b || p.In == "header" && strings.EqualFold(a, b)
}

// dropped reports whether the decision drops the parameter.
func (b bound) dropped(p *normalise.Parameter) bool {
	return p.In != "path" && slices.ContainsFunc(b.decision.Drop, func(name string) bool {
		return same(p, p.Name, name) || same(p, p.In+" "+p.Name, name)
	})
}

// ambiguous reports whether another parameter of the same group has the name.
func (b bound) ambiguous(p *normalise.Parameter) bool {
	return slices.ContainsFunc(b.op.Parameters, func(o *normalise.Parameter) bool {
		return o != p && o.Name == p.Name && b.group(o) == b.group(p) && !b.dropped(o)
	})
}

// known appends the operation's parameters to a hint.
func (b bound) known(hint string) string {
	if len(b.op.Parameters) == 0 {
		return hint + "; it has no parameters"
	}
	names := make([]string, len(b.op.Parameters))
	for i, p := range b.op.Parameters {
		names[i] = p.Name
	}
	return hint + "; its parameters are " + strings.Join(names, ", ")
}

// literal is a text as the manifest writes it: what a hint says to add there can
// be copied, whatever the document put into it.
func literal(text string) string { return string(spec.NewString(text).AppendJSON(nil)) }

// legal turns a name into an argument key: brackets and symbols become
// underscores, and what is too long keeps its end, which tells more.
func legal(name string) string {
	var b strings.Builder
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '-':
			b.WriteRune(c)
		case c == '<':
			b.WriteString("_before")
		case c == '>':
			b.WriteString("_after")
		default:
			if s := b.String(); s != "" && !strings.HasSuffix(s, "_") {
				b.WriteByte('_')
			}
		}
	}
	key := strings.Trim(b.String(), "_")
	if len(key) > 64 {
		key = strings.TrimLeft(key[len(key)-64:], "_")
	}
	if key == "" {
		return "value"
	}
	return key
}
