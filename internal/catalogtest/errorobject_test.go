package catalogtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/fault"
)

// reply is the result of a call as it was written.
type reply struct {
	IsError           bool
	StructuredContent json.RawMessage
	Content           []struct{ Text string }
}

func replied(t *testing.T, body []byte) reply {
	t.Helper()
	var message struct{ Result reply }
	if err := json.Unmarshal(body, &message); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return message.Result
}

// TestErrorsAreObjects: an error's code and message stand in structured content
// too, by the names that the catalog has for codes, whoever writes the reply.
//
// clause: S-29
func TestErrorsAreObjects(t *testing.T) {
	t.Parallel()
	o := new(odd)
	var err error
	o.get = func(context.Context) error { return err }
	s := mount(t, o, edge.Config{}, edge.Options{
		ErrorObjects: true,
		ErrorCodes:   map[string]string{"invalid_arguments": "INVALID_ARGUMENT", "arguments_too_large": "TOO_LONG", "internal": "INTERNAL"},
	})
	long := strings.Repeat("x", 16384)
	for name, c := range map[string]struct {
		err              error
		arguments, code  string
		message, nowhere string
	}{
		"of the handler":     {fault.New("TICK_MISMATCH", `it is "3"`), `{"id":1}`, "TICK_MISMATCH", `it is "3"`, ""},
		"a renamed code":     {fault.New("internal", "no"), `{"id":1}`, "INTERNAL", "no", ""},
		"internal":           {errors.New("open /etc/secret"), `{"id":1}`, "INTERNAL", "internal error", "secret"},
		"of the schema":      {nil, `{"id":0}`, "INVALID_ARGUMENT", "/id", ""},
		"an unknown member":  {nil, `{"id":1,"more":1}`, "INVALID_ARGUMENT", "unknown member", ""},
		"too many arguments": {nil, `{"id":1,"more":"` + long + `"}`, "TOO_LONG", "the arguments are larger", long},
	} {
		err = c.err
		for way, message := range map[string]string{
			"ours":      calls("get_note", c.arguments),
			"the SDK's": strings.Replace(calls("get_note", c.arguments), `"params":{`, `"params":{"_meta":{"progressToken":1},`, 1),
		} {
			w := post(s, "ann", message)
			r := replied(t, w.Body.Bytes())
			var object struct {
				Error struct{ Code, Message string }
			}
			d := json.NewDecoder(bytes.NewReader(r.StructuredContent))
			d.DisallowUnknownFields()
			if bad := d.Decode(&object); bad != nil || !r.IsError || len(r.Content) != 1 {
				t.Fatalf("%s, %s: %v: %s", name, way, bad, w.Body)
			}
			got := object.Error
			if got.Code != c.code || !strings.Contains(got.Message, c.message) || r.Content[0].Text != got.Code+": "+got.Message {
				t.Errorf("%s, %s: %s", name, way, w.Body)
			}
			if c.nowhere != "" && strings.Contains(w.Body.String(), c.nowhere) {
				t.Errorf("%s, %s: it tells %.20s…", name, way, c.nowhere)
			}
		}
	}
}

// TestListedSchemasAllowErrorObjects: clients hold what they get to the schemas
// that they were told, errors among it; results are held as strictly as before.
//
// clause: S-29
func TestListedSchemasAllowErrorObjects(t *testing.T) {
	t.Parallel()
	const failed = `{"error":{"code":"X","message":"y"}}`
	for _, objects := range []bool{true, false} {
		s := mount(t, new(odd), edge.Config{}, edge.Options{ErrorObjects: objects})
		session := connected(t, serve(t, s), "ann")
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		held := 0
		for _, tool := range list.Tools {
			if tool.OutputSchema == nil {
				continue
			}
			held++
			if err := against(t, tool, failed); (err == nil) != objects {
				t.Errorf("%s, with error objects %v: %v", tool.Name, objects, err)
			}
			for _, other := range []string{`{"error":{"code":"X"}}`, `{"error":"X"}`, `[]`} {
				if against(t, tool, other) == nil {
					t.Errorf("%s, with error objects %v, allows %s", tool.Name, objects, other)
				}
			}
			if tool.Name == "list_notes" {
				if err := against(t, tool, `{"notes":[]}`); err != nil {
					t.Errorf("with error objects %v: %v", objects, err)
				}
				if against(t, tool, `{"notes":[{"id":"x"}]}`) == nil {
					t.Errorf("with error objects %v: a wrong result is allowed", objects)
				}
			}
		}
		if held < 3 {
			t.Errorf("%d tools have an output schema", held)
		}
	}
}

// against holds a text to the output schema of a tool, whose root must say that
// it is an object.
func against(t *testing.T, tool *mcp.Tool, text string) error {
	t.Helper()
	schema, err := json.Marshal(tool.OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(schema), `"type":"object"`) {
		t.Errorf("%s: the root is of no type", tool.Name)
	}
	compiled, err := jsonschema.CompileString("output.json", string(schema))
	if err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(v)
}
