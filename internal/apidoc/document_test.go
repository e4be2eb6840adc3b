package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// root is the module's folder.
const root = "../.."

// object is a JSON object.
type object = map[string]any

// The folders of the documents.
const (
	platformAPI = "api/platform"
	playAPI     = "api/play"
	playTools   = "api/play-tools"
	authorTools = "api/author-tools"
)

// folders are those of all documents.
var folders = []string{platformAPI, playAPI, playTools, authorTools}

// document is the files of a folder as they are written, by name.
type document map[string]object

// node is a value and the file whose references it has.
type node struct {
	file  string
	value object
	where string // JSON pointer, through no reference
}

// operation is one operation as the files describe it.
type operation struct {
	node
	id, method, path string
}

// load reads the files of the platform.
func load(t *testing.T) document {
	t.Helper()
	return loadFrom(t, platformAPI)
}

// loadFrom reads the files of a folder.
func loadFrom(t *testing.T, folder string) document {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, folder, "*.yaml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	d := document{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := yaml.Unmarshal(text, &value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d[filepath.Base(name)] = decoded(t, encoded(t, value)).(object)
	}
	return d
}

// decoded reads JSON with its numbers as they are written.
func decoded(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// operations are all operations, by file, path and method.
func (d document) operations() []operation {
	var all []operation
	for _, file := range sorted(d) {
		paths, _ := d[file]["paths"].(object)
		for _, path := range sorted(paths) {
			for _, method := range sorted(paths[path].(object)) {
				op := paths[path].(object)[method].(object)
				id, _ := op["operationId"].(string)
				where := "/paths/" + escaped(path) + "/" + method
				all = append(all, operation{node{file, op, where}, id, strings.ToUpper(method), path})
			}
		}
	}
	return all
}

// tools are the operations that have an owner.
func (d document) tools() []operation {
	return slices.DeleteFunc(d.operations(), func(op operation) bool { return op.value["x-owner"] == nil })
}

// at is a member of a node, followed through references; without a value where
// there is none.
func (d document) at(n node, path ...string) node {
	for _, name := range path {
		value, _ := n.value[name].(object)
		n = d.follow(node{n.file, value, n.where + "/" + escaped(name)})
	}
	return n
}

// follow goes from a reference to what it names.
func (d document) follow(n node) node {
	for {
		ref, ok := n.value["$ref"].(string)
		if !ok {
			return n
		}
		file, pointer, _ := strings.Cut(ref, "#")
		if file == "" {
			file = n.file
		}
		value := d[file]
		for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			value, _ = value[unescaper.Replace(name)].(object)
		}
		n = node{file, value, pointer}
	}
}

// parameters are an operation's, by place and name.
func (d document) parameters(op operation) map[string]node {
	all := map[string]node{}
	list, _ := op.value["parameters"].([]any)
	for i, p := range list {
		n := d.follow(node{op.file, p.(object), fmt.Sprintf("%s/parameters/%d", op.where, i)})
		all[n.value["in"].(string)+" "+n.value["name"].(string)] = n
	}
	return all
}

// content is the only media type of a request body or reply, and what is said of
// it.
func (d document) content(n node) (mediaType string, media node) {
	all := d.at(n, "content")
	for _, name := range sorted(all.value) {
		return name, d.at(all, name)
	}
	return "", node{}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

var unescaper = strings.NewReplacer("~1", "/", "~0", "~")

func escaped(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
