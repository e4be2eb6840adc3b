package apidoc

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExactness holds every schema that is written down to one rule: it says
// what it admits and how much of it.
func TestExactness(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]int{platformAPI: 100, playAPI: 50, playTools: 30, authorTools: 30} {
		if n := exactIn(t, loadFrom(t, folder)); n < want {
			t.Errorf("%s: only %d schemas were found", folder, n)
		}
	}
}

// exactIn holds every schema of a document to the rule and counts them.
func exactIn(t *testing.T, d document) (n int) {
	for _, file := range sorted(d) {
		schemas := d.at(node{file, d[file], ""}, "components", "schemas")
		for _, name := range sorted(schemas.value) {
			n++
			exact(t, node{file, schemas.value[name].(object), schemas.where + "/" + name})
		}
		inner(d[file], "", func(where string, schema object, mediaType string) {
			n++
			if !strings.HasPrefix(mediaType, "text/") { // a text is as long as it is
				exact(t, node{file, schema, where})
			}
		})
	}
	return n
}

// inner finds the schemas of parameters, headers, bodies and replies.
func inner(value any, where string, found func(where string, schema object, mediaType string)) {
	members, ok := value.(object)
	if !ok {
		if list, ok := value.([]any); ok {
			for _, item := range list {
				inner(item, where, found)
			}
		}
		return
	}
	for _, name := range sorted(members) {
		at := where + "/" + escaped(name)
		if schema, ok := members[name].(object); ok && name == "schema" {
			found(at, schema, unescaper.Replace(where[strings.LastIndex(where, "/")+1:]))
		} else if name != "example" && at != "/components/schemas" {
			inner(members[name], at, found)
		}
	}
}

// exact reports what a schema leaves open.
func exact(t *testing.T, n node) {
	wrong := func(what string) { t.Errorf("%s#%s %s: %v", n.file, n.where, what, n.value) }
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return n.value[name] == nil })
	}
	below := func(name string, value any) {
		if schema, ok := value.(object); ok {
			exact(t, node{n.file, schema, n.where + "/" + name})
		}
	}
	if options, ok := n.value["oneOf"].([]any); ok {
		for _, option := range options {
			below("oneOf", option)
		}
		if !has("discriminator") {
			wrong("has no discriminator")
		}
		return
	}
	if has("$ref") {
		if len(n.value) > 1 && !has("description") || len(n.value) > 2 {
			wrong("adds more than a description to a reference")
		}
		return
	}
	switch kind(n) {
	case "object":
		exactObject(t, n, wrong)
		properties, _ := n.value["properties"].(object)
		for _, name := range sorted(properties) {
			below(name, properties[name])
		}
		below("additionalProperties", n.value["additionalProperties"])
	case "array":
		if !has("items", "maxItems") {
			wrong("has no items or no end")
		}
		below("items", n.value["items"])
	case "string":
		exactText(n, wrong)
	case "integer":
		if !has("minimum") || n.value["format"] != "int32" && n.value["format"] != "int64" {
			wrong("has no minimum or no size")
		}
	case "number":
		if !has("minimum", "maximum") {
			wrong("has no bounds")
		}
	case "boolean":
	default:
		wrong("has no type")
	}
}

// kind is the type of a schema, whether it may be null or not.
func kind(n node) any {
	if types, ok := n.value["type"].([]any); ok && len(types) == 2 && types[1] == "null" {
		return types[0]
	}
	return n.value["type"]
}

func exactObject(t *testing.T, n node, wrong func(string)) {
	properties, _ := n.value["properties"].(object)
	required, _ := n.value["required"].([]any)
	if n.value["maxProperties"] == json.Number("0") && n.value["additionalProperties"] == false && len(properties) == 0 {
		return // it is empty, and says so
	}
	switch more := n.value["additionalProperties"].(type) {
	case nil:
		wrong("does not say whether it is closed")
	case bool:
		if more || len(properties) == 0 {
			wrong("is open or empty")
		}
		if len(required) == 0 && n.value["minProperties"] == nil {
			wrong("may be empty")
		}
	default:
		if n.value["maxProperties"] == nil || n.value["propertyNames"] == nil {
			wrong("does not bound its members")
		}
	}
	for _, name := range required {
		if properties[name.(string)] == nil {
			wrong("requires " + name.(string) + ", which it does not have")
		}
	}
	for name := range properties {
		if !regexp.MustCompile(`^[a-z][a-z0-9_]*$|^aggregateId$`).MatchString(name) {
			t.Errorf("%s#%s has a member %q", n.file, n.where, name)
		}
	}
}

// repeats is what makes a pattern match texts without end, outside of classes.
var repeats = regexp.MustCompile(`[*+]`)

var class = regexp.MustCompile(`\[[^\]]*\]`)

func exactText(n node, wrong func(string)) {
	pattern, _ := n.value["pattern"].(string)
	if pattern != "" {
		_, err := regexp.Compile(pattern)
		if err != nil || !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
			wrong("has a pattern that is wrong or matches in the middle")
		}
	}
	_, long := n.value["maxLength"]
	values, _ := n.value["enum"].([]any)
	switch {
	case long, len(values) > 0, pattern != "" && !repeats.MatchString(class.ReplaceAllString(pattern, "")):
	case n.value["format"] == "date-time", n.value["format"] == "binary":
	default:
		wrong("has no end")
	}
}
