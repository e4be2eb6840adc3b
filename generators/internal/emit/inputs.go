package emit

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// inputsView is what inputs.go.tmpl prints.
type inputsView struct {
	header
	Paths  []pathType
	Inputs []inputView
}

// inputView is the input type of one operation.
type inputView struct {
	Name    string
	Doc     string
	Fields  []string
	Decode  *methodView // tells parameters from body members; nil if encoding/json does
	Request *methodView
}

// methodView is a method of an input that returns one expression.
type methodView struct {
	Doc       string
	Signature string
	Return    string
}

func newInputsView(c *ir.Catalog) inputsView {
	v := inputsView{Paths: pathTypes(c)}
	names := map[string]string{}
	for _, p := range v.Paths {
		names[p.signature] = p.Name
	}
	std, other := map[string]bool{}, map[string]bool{}
	clients := map[string]*ir.Document{}
	for _, d := range c.Documents {
		clients[d.Name] = d
	}
	for _, op := range c.Operations {
		in := input{catalog: c, op: op, client: clients[op.Document].Package}
		v.Inputs = append(v.Inputs, in.view(names))
		if c.Binding == "http" {
			std["net/http"] = true
		}
		if in.usesClient() {
			other[clientPath(c, clients[op.Document])] = true
		}
		if in.usesJSON() {
			std["encoding/json"] = true
		}
		if in.usesRuntime() {
			other[runtime] = true
		}
	}
	v.header = newHeader(c, keys(std), keys(other))
	return v
}

func keys(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for k := range set {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// input is an operation on its way to an input type.
type input struct {
	catalog *ir.Catalog
	op      *ir.Operation
	client  string // package of its document
}

func (in input) top() bool  { return in.catalog.Input == "top" }
func (in input) http() bool { return in.catalog.Binding == "http" }

// split reports whether parameters and body members stand side by side and
// have to be told apart by name.
func (in input) split() bool { return in.top() && in.op.Body != nil }

func (in input) usesClient() bool {
	return in.http() || len(others(in.op)) > 0 || in.op.Body != nil && in.op.Body.GoType != ""
}

func (in input) usesRuntime() bool {
	return in.split() || in.http() && in.op.Body != nil
}

func (in input) usesJSON() bool {
	if slices.ContainsFunc(pathParameters(in.op), usesJSON) {
		return true
	}
	return in.op.Body != nil && strings.HasPrefix(in.bodyType(), "json.")
}

func usesJSON(p *ir.Parameter) bool { return strings.Contains(p.GoType, "json.") }

func (in input) view(paths map[string]string) inputView {
	op := in.op
	v := inputView{
		Name: op.GoName + "Input",
		Doc:  doc(op.GoName + "Input is what " + op.Tool + " takes."),
	}
	var list []field
	path := pathParameters(op)
	params := in.client + "." + op.GoName + "Params"
	switch {
	case in.top():
		for _, p := range path {
			list = append(list, parameterField(p))
		}
		if len(others(op)) > 0 {
			list = append(list, field{Type: params})
		}
	default:
		if len(path) > 0 {
			list = append(list, field{Name: "Path", Type: paths[signature(path)], Tag: jsonTag("path", true)})
		}
		if len(others(op)) > 0 {
			list = append(list, field{Name: "Parameters", Type: params, Tag: jsonTag("parameters", true)})
		}
	}
	if op.Body != nil {
		list = append(list, in.bodyField())
	}
	v.Fields = fields(1, list)
	if in.split() {
		v.Decode = in.decode()
	}
	if in.http() {
		v.Request = in.request()
	}
	return v
}

// bodyType is the type a body is decoded into.
func (in input) bodyType() string {
	switch b := in.op.Body; {
	case b.GoType != "":
		return qualify(in.client, b.GoType)
	case b.Form == "text":
		return "string"
	default:
		return "json.RawMessage"
	}
}

// bodyField is the field of the body: for requests one that keeps the bytes of
// the arguments, for handlers the value itself.
func (in input) bodyField() field {
	f := field{Name: "Body", Type: in.bodyType(), Tag: jsonTag("body", in.op.Body.Required)}
	switch {
	case in.http():
		f.Type, f.Tag = "tool.Body["+f.Type+"]", jsonTag("body", true)
	case !in.op.Body.Required && f.Type != "json.RawMessage":
		f.Type = "*" + f.Type
	}
	if in.top() {
		f.Tag = jsonTag("-", true)
	}
	return f
}

// decode is the statement that tells the members of the parameters from those
// of the body.
func (in input) decode() *methodView {
	args := []string{"arguments", "(*own)(in)", "&in.Body", strconv.FormatBool(in.op.Body.Required)}
	for _, p := range append(pathParameters(in.op), others(in.op)...) {
		args = append(args, strconv.Quote(p.Key))
	}
	return &methodView{
		Signature: in.signature("UnmarshalJSON", "arguments []byte", "error"),
		Return:    call(1, "return tool.Split", args, ""),
	}
}

// signature prints the head of a method of the input.
func (in input) signature(name, parameter, result string) string {
	return call(0, "func (in *"+in.op.GoName+"Input) "+name, []string{parameter}, " "+result+" {")
}

// request prints the call of the operation's builder in its client package.
func (in input) request() *methodView {
	op := in.op
	args := []string{"base"}
	for _, p := range pathParameters(op) {
		prefix := "in.Path."
		if in.top() {
			prefix = "in."
		}
		args = append(args, prefix+p.GoName)
	}
	if len(others(op)) > 0 {
		field := "Parameters"
		if in.top() {
			field = op.GoName + "Params"
		}
		args = append(args, "&in."+field)
	}
	if op.Body != nil {
		args = append(args, payload(op.Body))
	}
	v := &methodView{Doc: "Request builds " + comment(op.Key) + "."}
	if len("// ")+utf8.RuneCountInString(v.Doc) > width {
		v.Doc = "Request implements tool.Requester."
	}
	v.Signature = in.signature("Request", "base string", "(*http.Request, error)")
	v.Return = call(1, "return "+in.client+".New"+op.GoName+"Request", args, "")
	return v
}

// payload prints how the body goes on the wire.
func payload(b *ir.Body) string {
	method := map[string]string{
		"json": "JSON", "form": "Form", "multipart": "Multipart", "text": "Text", "binary": "Binary",
	}[b.Form]
	args := []string{quote(b.MediaType)}
	for _, e := range b.Encoding {
		members := []string{"Member: " + quote(e.Member)}
		if e.ContentType != "" {
			members = append(members, "ContentType: "+quote(e.ContentType))
		}
		if s := style(e.Style, e.Explode, e.AllowReserved); s != "" {
			members = append(members, "Style: "+s)
		}
		args = append(args, "tool.Encoding{"+strings.Join(members, ", ")+"}")
	}
	return call(2, "in.Body."+method, args, "")
}

// styles are the constants of package tool.
var styles = map[string]string{
	"simple": "tool.Simple", "label": "tool.Label", "matrix": "tool.Matrix", "form": "tool.Form",
	"spaceDelimited": "tool.SpaceDelimited", "pipeDelimited": "tool.PipeDelimited", "deepObject": "tool.DeepObject",
}

// style prints a style with its flags; "" where the document says none.
func style(name string, explode, reserved bool) string {
	s := styles[name]
	if s == "" {
		return ""
	}
	if explode {
		s += "|tool.Explode"
	}
	if reserved {
		s += "|tool.Reserved"
	}
	return s
}

// qualify puts the package before a type of a client package, behind any
// pointer, slice or map that it starts with.
func qualify(client, name string) string {
	i := strings.LastIndexAny(name, "*]") + 1
	if prefix, base := name[:i], name[i:]; !strings.Contains(base, ".") && base != "" && base[0] >= 'A' && base[0] <= 'Z' {
		return prefix + client + "." + base
	}
	return name
}

// pathParameters are those of the path in the order of its template, which is
// the order of the builder's arguments.
func pathParameters(op *ir.Operation) []*ir.Parameter {
	return parameters(op, func(p *ir.Parameter) bool { return p.In == "path" })
}

// others are the query, header and cookie parameters.
func others(op *ir.Operation) []*ir.Parameter {
	return parameters(op, func(p *ir.Parameter) bool { return p.In != "path" })
}

func parameters(op *ir.Operation, keep func(*ir.Parameter) bool) []*ir.Parameter {
	var list []*ir.Parameter
	for i := range op.Parameters {
		if p := &op.Parameters[i]; !p.Dropped && keep(p) {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *ir.Parameter) int {
		return place(op.Path, a) - place(op.Path, b)
	})
	return list
}

// place is where a path parameter stands in its template.
func place(path string, p *ir.Parameter) int {
	if p.In != "path" {
		return 0
	}
	return strings.Index(path, "{"+p.Name+"}")
}

// parameterField is the field of a parameter that stands by itself.
func parameterField(p *ir.Parameter) field {
	required, key := p.Required || p.In == "path", p.Key
	if key == "-" {
		key = "-," // "-" alone would hide the field
	}
	f := field{Name: p.GoName, Type: p.GoType, Tag: jsonTag(key, required)}
	if !required && !strings.HasPrefix(f.Type, "[]") && f.Type != "json.RawMessage" {
		f.Type = "*" + f.Type
	}
	return f
}

// jsonTag prints a struct tag. The keys of arguments have no character that a
// tag would have to escape (E-53).
func jsonTag(key string, required bool) string {
	if !required {
		key += ",omitempty"
	}
	return "`json:" + strconv.Quote(key) + "`"
}
