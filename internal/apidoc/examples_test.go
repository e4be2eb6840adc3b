package apidoc

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generated/author"
	"github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/generated/play"
	"github.com/pharos-mcp/pharos/internal/validate"
)

// written checks values against the schemas of the files, formats included.
type written struct {
	*jsonschema.Compiler
	document
}

func compiler(t *testing.T, d document) written {
	t.Helper()
	w := written{jsonschema.NewCompiler(), d}
	w.Draft = jsonschema.Draft2020
	w.AssertFormat = true
	for _, name := range sorted(d) {
		if err := w.AddResource("file:///"+name, strings.NewReader(string(encoded(t, d[name])))); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// example checks the example beside a schema and returns it.
func (w written) example(t *testing.T, what string, n node) any {
	t.Helper()
	value, ok := n.value["example"]
	if !ok {
		t.Errorf("%s has no example", what)
		return nil
	}
	schema := w.at(n, "schema")
	w.check(t, what, "file:///"+schema.file+"#"+schema.where, value)
	return value
}

func (w written) check(t *testing.T, what, url string, value any) {
	t.Helper()
	schema, err := w.Compile(url)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: the example does not fit:\n%#v", what, err)
	}
}

// TestExamples checks every example against what is written beside it, against
// the bundled document, and as a call and a reply of its tool.
//
// clause: E-07, E-40
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, c := range []examples{
		{platformAPI, "platform/openapi.json", platform.Catalog(), 54},
		{playAPI, "play/play.openapi.json", play.Catalog(nil), 0},
		{playTools, "play/playtools.openapi.json", play.Catalog(nil), 5},
		{authorTools, "author/openapi.json", author.Catalog(nil), 16},
	} {
		t.Run(c.folder, func(t *testing.T) {
			t.Parallel()
			c.check(t)
		})
	}
}

// examples are those of a document.
type examples struct {
	folder  string
	bundle  string // its file in generated/
	catalog tool.Catalog
	calls   int // how many of its operations are tools
}

func (c examples) check(t *testing.T) {
	d := loadFrom(t, c.folder)
	w := compiler(t, d)
	bundle, err := os.ReadFile(filepath.Join(root, "generated", c.bundle))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.AddResource("file:///openapi.json", strings.NewReader(string(bundle))); err != nil {
		t.Fatal(err)
	}
	tools, set := map[string]*tool.Operation{}, validate.New(c.catalog)
	for i := range c.catalog.Operations {
		tools[c.catalog.Operations[i].ID] = &c.catalog.Operations[i]
	}
	calls := 0
	for _, op := range d.operations() {
		arguments := w.arguments(t, op)
		called := tools[op.id]
		if called != nil {
			calls++
			given := arguments
			if c.catalog.Bare {
				given = flat(arguments)
			}
			if err := set.Arguments(called, encoded(t, given)); err != nil {
				t.Errorf("%s: its tool refuses the example: %v", op.id, err)
			}
		}
		inBundle := "file:///openapi.json#" + op.where
		if body, ok := arguments["body"]; ok && called != nil {
			w.check(t, op.id+" body in the bundle", inBundle+"/requestBody/content/application~1json/schema", body)
		}
		for _, status := range sorted(d.at(op.node, "responses").value) {
			what := op.id + " " + status
			value, mediaType := w.reply(t, op, status)
			if called == nil || value == nil {
				continue
			}
			w.check(t, what+" in the bundle",
				fmt.Sprintf("%s/responses/%s/content/%s/schema", inBundle, status, escaped(mediaType)), value)
			if code, err := strconv.Atoi(status); err == nil && mediaType == "application/json" {
				received(t, what, set, called, code, value)
			}
		}
	}
	if calls != c.calls {
		t.Errorf("%d tools were called, want %d", calls, c.calls)
	}
}

// flat puts the members of all groups side by side, as a handler takes them.
func flat(arguments object) object {
	all := object{}
	for _, group := range arguments {
		maps.Copy(all, group.(object))
	}
	return all
}

// arguments puts the examples of parameters and body together as a tool takes
// them.
func (w written) arguments(t *testing.T, op operation) object {
	t.Helper()
	arguments := object{}
	for _, key := range sorted(w.parameters(op)) {
		place, name, _ := strings.Cut(key, " ")
		group := "parameters"
		if place == "path" {
			group = "path"
		}
		if arguments[group] == nil {
			arguments[group] = object{}
		}
		arguments[group].(object)[name] = w.example(t, op.id+" "+key, w.parameters(op)[key])
	}
	if body := w.at(op.node, "requestBody"); body.value != nil {
		_, media := w.content(body)
		arguments["body"] = w.example(t, op.id+" body", media)
	}
	return arguments
}

// reply checks the example of a reply and its headers.
func (w written) reply(t *testing.T, op operation, status string) (value any, mediaType string) {
	t.Helper()
	reply := w.at(op.node, "responses", status)
	mediaType, media := w.content(reply)
	if media.value != nil {
		value = w.example(t, op.id+" "+status, media)
	} else if status != "204" {
		t.Errorf("%s %s has no body", op.id, status)
	}
	headers := w.at(reply, "headers")
	for _, name := range sorted(headers.value) {
		w.example(t, op.id+" "+status+" "+name, w.at(headers, name))
	}
	return value, mediaType
}

// received checks that the gateway hands a reply on as it is.
func received(t *testing.T, what string, set *validate.Set, op *tool.Operation, status int, value any) {
	t.Helper()
	projected, dropped, err := set.Reply(op, status, encoded(t, value))
	if err != nil || dropped > 0 {
		t.Errorf("%s: its tool drops %d members of the example: %v", what, dropped, err)
		return
	}
	if diff := cmp.Diff(value, decoded(t, projected)); diff != "" {
		t.Errorf("%s: its tool changes the example (-want +got):\n%s", what, diff)
	}
}
