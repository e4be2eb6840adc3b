package clients

import (
	"fmt"
	"go/format"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// nasty are names that a document may give to anything and that Go, struct
// tags, templates or oapi-codegen have another idea of.
var nasty = []string{
	"", " ", "_", "__", "-", "--", "$", "$ref", "@id", "@type", "#", ".", "..", "/", "\\", "a\\b", "a/b", "a.b",
	"a b", "a,b", ",", "a;b", "a:b", "'", `"`, `a"b`, "`", "a`b", "\n", "a\nb", "\x00", "\u202e", "\u200b", "\ufeff",
	"%", "100%", "%s", "{{.}}", "{{", "*/", "/*", "//", "<b>", "a&b", "a+b", "a=b", "a|b", "a~b", "a^b", "a*b",
	"1", "1st", "2", "007", "+1", "-1", "1.5", "type", "Type", "func", "range", "map", "select", "go", "package",
	"import", "nil", "true", "iota", "string", "int64", "error", "any", "len", "append", "init", "main", "String",
	"Error", "AdditionalProperties", "additionalProperties", "MarshalJSON", "UnmarshalJSON",
	"union", "Client", "Params", "Body", "Model", "Request", "Text", "File", "Value",
	"base", "params", "body", "r", "tool", "http", "json", "id", "ID", "Id", "iD", "petId", "petID", "pet_id", "pet-id", "PetId", "URL", "url",
	"StartTime", "StartTime<", "StartTime>", "start_time", "startTime", "größe", "Ärger", "ñ", "ß", "ŉ", "名前", "имя",
	"ǆ", "é", "e\u0301", "٣", "🙂", "x-go-name", "x-go-type", "a_b", "a__b", "aB", "AB", "ab", "Ab",
	strings.Repeat("long", 200), strings.Repeat("名", 200), "omitempty", "a,omitempty", "default", "enum", "class",
}

// TestNastyNames declares schemas, members, parameters and operations with
// every nasty name at once.
func TestNastyNames(t *testing.T) {
	t.Parallel()
	text := object("type", "string", "description", "*/ \n//go:embed x\n\x00 `code` {{.}}")
	members := spec.NewObject()
	for _, name := range nasty {
		members.Set(name, text.Clone())
	}
	closed := object("type", "object")
	closed.Set("properties", members)
	open := closed.Clone()
	open.Set("additionalProperties", spec.NewBool(true))
	required := closed.Clone()
	for _, name := range nasty {
		if required.Get("required") == nil {
			required.Set("required", spec.NewArray())
		}
		required.Get("required").Items = append(required.Get("required").Items, spec.NewString(name))
	}
	doc := &normalise.Document{Name: "nasty", Schemas: map[string]*spec.Node{
		"Closed": closed, "Open": open, "Required": required,
	}}
	for _, name := range nasty {
		if safe := goSafe(name); safe != "" {
			doc.Schemas[safe] = closed.Clone()
		}
	}
	names := namer{}
	var ops []*ir.Operation
	add := func(op *ir.Operation) {
		op.Method = "POST"
		op.Key = fmt.Sprintf("POST %s #%d", op.Path, len(ops))
		ops = append(ops, op)
	}
	for _, name := range sortedKeys(doc.Schemas) {
		ref := object("$ref", refPrefix+name)
		add(&ir.Operation{
			GoName: names.unique("X"+GoName(strings.ToLower(name)), ""), Path: "/" + name,
			Body:    &ir.Body{MediaType: "application/json", Form: "json", Schema: ref},
			Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Schema: ref}, {Status: "nonsense"}},
		})
	}
	all := &ir.Operation{GoName: "AllParameters", Path: "/a"}
	for i, name := range nasty {
		all.Parameters = append(all.Parameters,
			ir.Parameter{Name: name, Key: fmt.Sprintf("key%d", i), In: "query", Style: "form", Schema: text},
			ir.Parameter{Name: name, Key: fmt.Sprintf("Key%d", i), In: "header", Schema: text, Description: name},
			ir.Parameter{Name: name, Key: fmt.Sprintf("kEy%d", i), In: "cookie", Schema: text, Required: true},
		)
		if !strings.ContainsAny(name, "{}") {
			all.Path += "/{" + name + "}"
			key := name
			if goSafe(name) == "" {
				key = fmt.Sprintf("p%d", i)
			}
			all.Parameters = append(all.Parameters, ir.Parameter{Name: name, Key: key, In: "path", Schema: text})
		}
	}
	add(all)
	in := Input{Document: doc, Package: "nastyapi", Operations: ops, Client: true}
	source, err := Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(in, source); err != nil {
		t.Error(err)
	}
	if again, err := format.Source(source); err != nil || string(again) != string(source) {
		t.Errorf("gofmt changes the file (%v)", err)
	}
}

// goSafe keeps names that the normalised document may hold.
func goSafe(name string) string {
	for i, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return ""
		}
	}
	return name
}

// object makes a node of strings.
func object(pairs ...string) *spec.Node {
	n := spec.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		n.Set(pairs[i], spec.NewString(pairs[i+1]))
	}
	return n
}
