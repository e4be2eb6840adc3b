package catalogtest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
)

// named takes a bearer token for the name of a caller, who has every scope but
// the administrator's unless that is the name.
type named struct{}

func (named) Authenticate(r *http.Request) (*edge.Principal, error) {
	name := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if name == "" {
		return nil, &edge.Refusal{Status: http.StatusUnauthorized, Challenge: "Bearer", Message: "who is calling?"}
	}
	p := &edge.Principal{Subject: name, Scopes: []string{"desk:read", "desk:write"}}
	if name == "admin" {
		p.Scopes = []string{"desk:admin"}
	}
	return p, nil
}

func (named) ResourceMetadata() string { return "" }

// ownProject injects a project of the caller's own into every method but those
// of the administrator, who names it.
func ownProject(_ context.Context, p *edge.Principal, op *tool.Operation) (map[string]json.RawMessage, error) {
	if op.Tool == "tidy" {
		return nil, nil
	}
	name, err := json.Marshal("project of " + p.Subject)
	return map[string]json.RawMessage{"project_id": name}, err
}

// serve starts a handler and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}

// as sends requests in a caller's name.
type as string

func (name as) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(name))
	return http.DefaultTransport.RoundTrip(r)
}

// dial connects the SDK's client in a caller's name.
func dial(t *testing.T, url, name string) (*mcp.ClientSession, error) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: as(name)}, MaxRetries: -1,
	}, nil)
	if err == nil {
		t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

// connected is dial that must succeed.
func connected(t *testing.T, url, name string) *mcp.ClientSession {
	t.Helper()
	session, err := dial(t, url, name)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// call calls a tool and returns the only content of its result.
func call(t *testing.T, s *mcp.ClientSession, name, arguments string) (*mcp.CallToolResult, mcp.Content) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(result.Content) != 1 {
		return result, nil
	}
	return result, result.Content[0]
}

// text is call for results that are text.
func text(t *testing.T, s *mcp.ClientSession, name, arguments string) string {
	t.Helper()
	_, content := call(t, s, name, arguments)
	if content, ok := content.(*mcp.TextContent); ok {
		return content.Text
	}
	t.Fatalf("%s: content %v is no text", name, content)
	return ""
}

// TestMCP: the catalog behind the edge's mount without sessions.
//
// clause: E-10
func TestMCP(t *testing.T) {
	t.Parallel()
	s, err := edge.New(edge.Config{}, desk.Catalog(new(Desk)), edge.Options{Authenticator: named{}, Inject: ownProject})
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, s)
	ann, bob, admin := connected(t, url, "ann"), connected(t, url, "bob"), connected(t, url, "admin")

	list, err := ann.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	want := []string{"create_note", "delete_note", "draw_picture", "get_note", "list_notes", "list_tags", "observe", "update_note"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if list, err := admin.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 0 {
		t.Errorf("the administrator sees %v, %v", list, err)
	}

	created, _ := call(t, ann, "create_note", `{"title":"one"}`)
	structured, _ := json.Marshal(created.StructuredContent)
	if diff := cmp.Diff(`{"id":1,"tags":[],"title":"one","version":1}`, string(structured)); diff != "" {
		t.Error(diff)
	}
	// A result that is no object stands in a member, as its output schema says.
	tags, text := call(t, ann, "list_tags", `{}`)
	if structured, _ := json.Marshal(tags.StructuredContent); string(structured) != `{"result":[]}` {
		t.Errorf("list_tags: structured content %s", structured)
	}
	if text, ok := text.(*mcp.TextContent); !ok || text.Text != `[]` {
		t.Errorf("list_tags: text %v", text)
	}
	for _, step := range []struct {
		caller                *mcp.ClientSession
		tool, arguments, want string
		refused               bool
	}{
		{ann, "get_note", `{"id":1}`, `{"id":1,"tags":[],"title":"one","version":1}`, false},
		{bob, "get_note", `{"id":1}`, "not_found: there is no note 1", true},
		{ann, "observe", `{"step":3}`, `{ "seen":[1.50,2e1, 1.0],  "step":3}`, false},
		{bob, "get_note", `{"id":1,"project_id":"project of ann"}`, "invalid_arguments: ", true},
		{bob, "get_note", `{}`, "invalid_arguments: ", true},
	} {
		result, content := call(t, step.caller, step.tool, step.arguments)
		got, _ := content.(*mcp.TextContent)
		if got == nil || !strings.HasPrefix(got.Text, step.want) || result.IsError != step.refused {
			t.Errorf("%s %s: error %v, %+v, want %s", step.tool, step.arguments, result.IsError, content, step.want)
		}
	}
	if _, content := call(t, ann, "draw_picture", `{}`); content == nil {
		t.Error("no picture")
	} else if picture, ok := content.(*mcp.ImageContent); !ok || picture.MIMEType != "image/png" || len(picture.Data) == 0 {
		t.Errorf("picture %+v", content)
	}
	if result, content := call(t, ann, "delete_note", `{"id":1}`); result.IsError || content != nil {
		t.Errorf("deletion answered %+v", result)
	}
	if _, err := admin.CallTool(t.Context(), &mcp.CallToolParams{Name: "tidy", Arguments: map[string]any{"project_id": "x"}}); err == nil {
		t.Error("a method that is no tool was called as one")
	}
}
