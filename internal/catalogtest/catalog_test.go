package catalogtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generators"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
)

// TestGenerated: what is committed is what mcpgen makes of the documents and
// the manifest.
//
// clause: E-06, E-07
func TestGenerated(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	if code := generators.Main([]string{"check"}, nil, io.Discard, &stderr); code != 0 {
		t.Errorf("mcpgen check: exit code %d (run go generate here)\n%s", code, &stderr)
	}
}

// asked is a call of a handler catalog with what its mount injects.
func asked(t *testing.T, c tool.Catalog, project, name, arguments string) (tool.Result, error) {
	t.Helper()
	ctx := tool.WithInjected(t.Context(), map[string]json.RawMessage{"project_id": json.RawMessage(`"` + project + `"`)})
	return c.Dispatch(ctx, nil, operation(t, c, name), []byte(arguments))
}

func operation(t *testing.T, c tool.Catalog, name string) *tool.Operation {
	t.Helper()
	for i := range c.Operations {
		if c.Operations[i].Tool == name {
			return &c.Operations[i]
		}
	}
	t.Fatalf("no operation %s", name)
	return nil
}

// TestOperations goes through the operations in the order of a session.
func TestOperations(t *testing.T) {
	t.Parallel()
	c := desk.Catalog(new(Desk))
	for _, step := range []struct {
		project, tool, arguments string
		want                     string // the result's bytes
		code                     fault.Code
	}{
		{project: "a", tool: "create_note", arguments: `{"title":"one","text":null,"tags":["x","y"]}`,
			want: `{"id":1,"tags":["x","y"],"title":"one","version":1}`},
		{project: "a", tool: "create_note", arguments: `{"title":"one"}`, code: fault.Exists},
		{project: "b", tool: "create_note", arguments: `{"title":"one"}`,
			want: `{"id":1,"tags":[],"title":"one","version":1}`},
		// A body that may be missing, beside a path and a query parameter.
		{project: "a", tool: "update_note", arguments: `{"id":1,"text":"<b>","dry_run":true}`,
			want: `{"id":1,"tags":["x","y"],"text":"<b>","title":"one","version":2}`},
		{project: "a", tool: "update_note", arguments: `{"id":1}`,
			want: `{"id":1,"tags":["x","y"],"title":"one","version":2}`},
		{project: "a", tool: "get_note", arguments: `{"id":2}`, code: fault.NotFound},
		{project: "a", tool: "list_notes", arguments: `{"tag":["y"],"limit":1}`,
			want: `{"notes":[{"id":1,"tags":["x","y"],"title":"one","version":2}]}`},
		{project: "a", tool: "list_notes", arguments: `{"tag":["z"]}`, want: `{"notes":[]}`},
		// What the mount injects stands in place of whatever the caller says.
		{project: "b", tool: "list_notes", arguments: `{"project_id":"a","Project_ID":"a"}`,
			want: `{"notes":[{"id":1,"tags":[],"title":"one","version":1}]}`},
		// Stored bytes stay as they are, and later changes do not reach them.
		{project: "a", tool: "observe", arguments: `{"step":3}`, want: `{ "seen":[1.50,2e1, 1.0],  "step":3}`},
		{project: "a", tool: "delete_note", arguments: `{"id":1}`, want: ``},
		{project: "a", tool: "observe", arguments: `{"step":3}`, want: `{ "seen":[1.50,2e1, 1.0],  "step":3}`},
		{project: "a", tool: "delete_note", arguments: `{"id":1}`, code: fault.NotFound},
		{project: "b", tool: "tidy", arguments: `{"keep":[7]}`, want: `{"gone":1}`},
	} {
		got, err := asked(t, c, step.project, step.tool, step.arguments)
		if code := fault.CodeOf(err); code != step.code {
			t.Errorf("%s %s: error %v, want code %q", step.tool, step.arguments, err, step.code)
		}
		if diff := cmp.Diff(step.want, string(got.Body)); diff != "" {
			t.Errorf("%s %s:\n%s", step.tool, step.arguments, diff)
		}
	}
}

func TestPicture(t *testing.T) {
	t.Parallel()
	got, err := asked(t, desk.Catalog(new(Desk)), "a", "draw_picture", `{"width":5}`)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Image || got.MediaType != "image/png" {
		t.Errorf("image %v of type %s", got.Image, got.MediaType)
	}
	picture, err := png.Decode(bytes.NewReader(got.Body))
	if err != nil || picture.Bounds().Dx() != 5 {
		t.Errorf("picture %v, %v", picture, err)
	}
}

// TestMethodsThatAreNoTools: the RPC has them, with a schema; the mark keeps
// them from tools/list.
func TestMethodsThatAreNoTools(t *testing.T) {
	t.Parallel()
	c := desk.Catalog(new(Desk))
	for i := range c.Operations {
		op := &c.Operations[i]
		if op.RPCOnly != (op.Tool == "tidy") {
			t.Errorf("%s: RPC only is %v", op.Tool, op.RPCOnly)
		}
		if _, err := fs.Stat(c.Schemas, "schemas/"+op.Tool+".json"); err != nil {
			t.Error(err)
		}
	}
	if !c.Bare || len(c.Documents) != 0 || c.Limits.Arguments != 16384 {
		t.Errorf("bare %v, documents %v, limits %v", c.Bare, c.Documents, c.Limits)
	}
}

// TestInjectedIsNoInput: no tool's schema admits what the mount supplies.
func TestInjectedIsNoInput(t *testing.T) {
	t.Parallel()
	c := desk.Catalog(new(Desk))
	for _, op := range c.Operations {
		data, err := fs.ReadFile(c.Schemas, "schemas/"+op.Tool+".json")
		if err != nil {
			t.Fatal(err)
		}
		var f struct {
			InputSchema struct {
				Properties           map[string]any `json:"properties"`
				Required             []string       `json:"required"`
				AdditionalProperties any            `json:"additionalProperties"`
			} `json:"inputSchema"`
		}
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatal(err)
		}
		if f.InputSchema.AdditionalProperties != false {
			t.Errorf("%s takes members that it does not declare", op.Tool)
		}
		_, declared := f.InputSchema.Properties["project_id"]
		if declared != op.RPCOnly {
			t.Errorf("%s: project_id declared is %v", op.Tool, declared)
		}
	}
}

// TestClosed: an operation of another catalog is refused.
func TestClosed(t *testing.T) {
	t.Parallel()
	_, err := desk.Catalog(new(Desk)).Dispatch(context.Background(), nil, &tool.Operation{Tool: "drop_tables"}, []byte(`{}`))
	if !errors.Is(err, tool.ErrUnknown) {
		t.Errorf("error %v", err)
	}
}

// TestReviewPage: the page names what a reviewer has to know.
//
// clause: E-51
func TestReviewPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("generated/desk/parity.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| `POST /tidy` | `tidy` (RPC only) | `desk:admin` | delete | no |  |  |",
		"| `GET /health` | diagnostics |",
		"- body `title` string, `maxLength 80`, `minLength 1`, required",
	} {
		if !strings.Contains(string(page), line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}
