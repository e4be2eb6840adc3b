package tool

import (
	"encoding/json"
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
