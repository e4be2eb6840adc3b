package tool

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	type parameters struct {
		ID    string `json:"id"`
		Limit *int64 `json:"limit,omitempty"`
	}
	for name, tt := range map[string]struct {
		in         string
		required   bool
		parameters string
		body       string
	}{
		"order and bytes": {
			in:         `{"b": 1.0, "id":"x", "a":{"z":9007199254740993, "y":null}, "limit":2}`,
			parameters: `{"id":"x","limit":2}`,
			body:       `{"b":1.0,"a":{"z":9007199254740993, "y":null}}`,
		},
		"other letter case belongs to the body": {
			in: `{"id":"x","ID":"y"}`, parameters: `{"id":"x"}`, body: `{"ID":"y"}`,
		},
		"whole number": {
			in: `{"id":"x","limit":2.0,"a":2.0}`, parameters: `{"id":"x","limit":2}`, body: `{"a":2.0}`,
		},
		"no body":        {in: `{"id":"x"}`, parameters: `{"id":"x"}`, body: ``},
		"required body":  {in: `{"id":"x"}`, required: true, parameters: `{"id":"x"}`, body: `{}`},
		"escaped name":   {in: `{"id":"x","a\u0022b":1}`, parameters: `{"id":"x"}`, body: `{"a\"b":1}`},
		"nothing at all": {in: `{}`, parameters: `{"id":""}`, body: ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p parameters
			var body json.RawMessage
			if err := Split([]byte(tt.in), &p, &body, tt.required, "id", "limit"); err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(p); string(got) != tt.parameters {
				t.Errorf("parameters %s, want %s", got, tt.parameters)
			}
			if string(body) != tt.body {
				t.Errorf("body %s, want %s", body, tt.body)
			}
		})
	}
}

// TestSplitTyped: a body of a type of its own takes the integers of JSON Schema,
// however they are spelt, and says which member is none that it holds.
func TestSplitTyped(t *testing.T) {
	t.Parallel()
	type body struct {
		Version int64 `json:"version"`
		Text    string
	}
	for in, want := range map[string]int64{
		`{"version":2}`: 2, `{"version":2.0}`: 2, `{"Text":"1.0","version":1e3}`: 1000, `{"version":-20e-1}`: -2,
	} {
		var got body
		if err := Split([]byte(in), new(struct{}), &got, true); err != nil || got.Version != want {
			t.Errorf("%s: %d and %v, want %d", in, got.Version, err, want)
		}
	}
	for _, in := range []string{`{"version":1.5}`, `{"version":1e30}`} {
		var mismatch *json.UnmarshalTypeError
		err := Split([]byte(in), new(struct{}), new(body), true)
		if !errors.As(err, &mismatch) || mismatch.Field != "version" {
			t.Errorf("%s: %v", in, err)
		}
	}
}
