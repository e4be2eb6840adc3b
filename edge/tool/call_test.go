package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// closeTicket is an input as the generator writes it.
type closeTicket struct {
	Path struct {
		ID string `json:"id"`
	} `json:"path"`
	Parameters struct {
		Limit *int64            `json:"limit,omitempty"`
		Key   string            `json:"Idempotency-Key"`
		Token json.RawMessage   `json:"-"`
		Tags  []string          `json:"tags,omitempty"`
		Extra map[string]string `json:"extra,omitempty"`
	} `json:"parameters"`
	Body tool.Body[map[string]any] `json:"body"`
}

func (in *closeTicket) Request(base string) (*http.Request, error) {
	r := tool.NewRequest(http.MethodPost, base, "/support/tickets/{id}/close", "")
	r.Path("id", tool.Simple, in.Path.ID)
	r.Query("tags", tool.Form|tool.Explode, in.Parameters.Tags)
	r.Query("limit", tool.Form|tool.Explode, in.Parameters.Limit)
	r.Header("Idempotency-Key", tool.Simple, in.Parameters.Key)
	r.Body(in.Body.JSON("application/json"))
	return r.Build()
}

// recorder is an Exchange that keeps what it is to send.
type recorder struct {
	lines  []string
	accept string
}

func (*recorder) Base(document string) string { return "http://" + document + ".test/api" }

func (x *recorder) Send(_ context.Context, op *tool.Operation, request *http.Request) (tool.Result, error) {
	body, err := io.ReadAll(request.Body)
	x.lines = append(x.lines, request.Method+" "+request.URL.String()+" "+string(body))
	x.accept = request.Header.Get("Accept")
	return tool.Result{Status: http.StatusOK}, err
}

func TestCall(t *testing.T) {
	t.Parallel()
	op := &tool.Operation{Tool: "close_ticket", Document: "support", Replies: []tool.Reply{
		{Status: "200", MediaType: "application/json"}, {Status: "204"}, {Status: "404", MediaType: "application/json"},
		{Status: "default", MediaType: "application/problem+json"},
	}}
	var x recorder
	result, err := tool.Call(t.Context(), &x, op, []byte(`{"path":{"id":"a b"},`+
		`"parameters":{"Idempotency-Key":"k","tags":["x","y"],"limit":9007199254740993},"body":{"n":1e21}}`), new(closeTicket))
	if err != nil || result.Status != http.StatusOK {
		t.Fatalf("got %v, %v", result, err)
	}
	want := []string{"POST http://support.test/api/support/tickets/a%20b/close" +
		`?tags=x&tags=y&limit=9007199254740993 {"n":1e21}`}
	if diff := cmp.Diff(want, x.lines); diff != "" {
		t.Error(diff)
	}
	if x.accept != "application/json, application/problem+json, */*;q=0.1" {
		t.Errorf("Accept: %s", x.accept)
	}
}

// TestCallRefuses sends nothing and says where the fault is.
//
// clause: E-11
func TestCallRefuses(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`{"path":{"id":".."}}`: `path.id: must not be "." or ".."`,
		`{"path":{"id":"x"},"parameters":{"Idempotency-Key":"a\r\nb"}}`: "parameters.Idempotency-Key: " +
			"must not hold control characters",
		`{"path":{"id":"x"},"parameters":{"limit":1e21}}`:        "parameters.limit: must be an integer of at most 64 bits",
		`{"path":{"id":"x"},"parameters":{"limit":1e999999999}}`: "parameters.limit: must be an integer of at most 64 bits",
		`{"path":{"id":7}}`: "path.id: has a type that the request cannot carry",
		`{"path":`:          "arguments: cannot be read",
	} {
		var x recorder
		_, err := tool.Call(t.Context(), &x, &tool.Operation{Document: "support"}, []byte(arguments), new(closeTicket))
		var argument *tool.ArgumentError
		if !errors.As(err, &argument) || err.Error() != want || x.lines != nil {
			t.Errorf("%s: got %v and %q sent, want %s", arguments, err, x.lines, want)
		}
	}
}

// TestWhole takes the integers that JSON Schema calls so and leaves bodies as
// they are.
//
// clause: E-52
func TestWhole(t *testing.T) {
	t.Parallel()
	for spelt, want := range map[string]string{
		"50.0": "50", "5e1": "50", "5E+1": "50", "-0.0": "0", "9007199254740993.000": "9007199254740993",
		"500e-1": "50", "9223372036854775807": "9223372036854775807", "9.223372036854775807e18": "9223372036854775807",
	} {
		var x recorder
		arguments := `{"body":{"limit":` + spelt + `},"path":{"id":"x"},` +
			`"parameters":{"Idempotency-Key":"k","limit":` + spelt + ` }}`
		_, err := tool.Call(t.Context(), &x, &tool.Operation{Document: "d"}, []byte(arguments), new(closeTicket))
		want := []string{`POST http://d.test/api/support/tickets/x/close?limit=` + want + ` {"limit":` + spelt + `}`}
		if diff := cmp.Diff(want, x.lines); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", spelt, err, diff)
		}
	}
}

type look struct {
	Player  string               `json:"player_id"`
	Project *struct{ A, B *int } `json:"project_id"`
	Target  string               `json:"target"`
	Rest    json.RawMessage      `json:"rest"`
}

func TestHandle(t *testing.T) {
	t.Parallel()
	op := &tool.Operation{Tool: "look"}
	type view struct {
		Text string `json:"text"`
	}
	got, err := tool.Handle(t.Context(), op, []byte(`{"target":"<a>"}`), func(_ context.Context, in *look) (*view, error) {
		return &view{in.Target}, nil
	})
	check(t, got, err, tool.Result{MediaType: "application/json", Body: []byte(`{"text":"<a>"}`)})
	got, err = tool.Handle(t.Context(), op, []byte(`{}`), func(context.Context, *look) (tool.RawJSON, error) {
		return tool.RawJSON(`{ "n":1.0}`), nil
	})
	check(t, got, err, tool.Result{MediaType: "application/json", Body: []byte(`{ "n":1.0}`)})
	got, err = tool.Handle(t.Context(), op, []byte(`{}`), func(context.Context, *look) (tool.Image, error) {
		return tool.Image{MediaType: "image/png", Data: []byte{0, 1}}, nil
	})
	check(t, got, err, tool.Result{MediaType: "image/png", Body: []byte{0, 1}, Image: true})
	got, err = tool.Handle(t.Context(), op, []byte(`{}`), func(context.Context, *look) (tool.None, error) {
		return tool.None{}, nil
	})
	check(t, got, err, tool.Result{})

	broken := errors.New("broken")
	if _, err := tool.Handle(t.Context(), op, []byte(`{}`), func(context.Context, *look) (view, error) {
		return view{}, broken
	}); !errors.Is(err, broken) {
		t.Errorf("the handler's error became %v", err)
	}
	if _, err := tool.Handle(t.Context(), op, []byte(`{}`), func(context.Context, *look) (func(), error) {
		return nil, nil
	}); err == nil || !strings.Contains(err.Error(), "result of look") {
		t.Errorf("a result that is no JSON: %v", err)
	}
	if _, err := tool.Handle(t.Context(), op, []byte(`{"target":1}`), func(context.Context, *look) (view, error) {
		t.Error("called without its arguments")
		return view{}, nil
	}); err == nil {
		t.Error("a wrong argument is accepted")
	}
}

func check(t *testing.T, got tool.Result, err error, want tool.Result) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestInjected values win over the caller's, wholly and under any spelling.
func TestInjected(t *testing.T) {
	t.Parallel()
	ctx := tool.WithInjected(t.Context(), map[string]json.RawMessage{
		"player_id": json.RawMessage(`"me"`), "project_id": json.RawMessage(`{"B":2}`),
	})
	for _, arguments := range []string{
		`{"target":"t","rest":[1.0, 9007199254740993]}`,
		`{"player_id":"you","target":"t","rest":[1.0, 9007199254740993],"Project_ID":{"A":1,"B":1}}`,
		`{"PLAYER_ID":"you","player\u005fid":"you","project_id":{"A":1},"rest":[1.0, 9007199254740993],"target":"t"}`,
	} {
		var seen look
		keep := func(_ context.Context, in *look) (tool.None, error) {
			seen = *in
			return tool.None{}, nil
		}
		_, err := tool.Handle(ctx, &tool.Operation{}, []byte(arguments), keep)
		two := 2
		want := look{
			Player: "me", Project: &struct{ A, B *int }{B: &two}, Target: "t",
			Rest: json.RawMessage(`[1.0, 9007199254740993]`),
		}
		if diff := cmp.Diff(want, seen); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", arguments, err, diff)
		}
	}
	if _, err := tool.Handle(ctx, &tool.Operation{}, []byte(`[]`), func(context.Context, *look) (tool.None, error) {
		return tool.None{}, nil
	}); err == nil {
		t.Error("arguments that are no object are accepted")
	}
}
