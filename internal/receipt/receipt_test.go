package receipt_test

import (
	"encoding/json"
	"testing"

	"github.com/pharos-mcp/pharos/internal/receipt"
)

type request struct {
	Title string          `json:"title"`
	Count *int64          `json:"count,omitempty"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	Tags  []string        `json:"tags"`
}

// TestHash compares requests with one another.
func TestHash(t *testing.T) {
	t.Parallel()
	one := int64(1)
	raw := func(text string) request { return request{Raw: json.RawMessage(text)} }
	for name, c := range map[string]struct {
		a, b any
		same bool
	}{
		"equal values":                 {request{Title: "a"}, request{Title: "a"}, true},
		"a struct and its map":         {request{Title: "a", Tags: []string{}}, map[string]any{"tags": []string{}, "title": "a"}, true},
		"another order of members":     {raw(`{"a":1,"b":[2]}`), raw(`{"b": [2], "a": 1}`), true},
		"another spelling of a text":   {raw(`"é<"`), raw(`"\u00e9\u003c"`), true},
		"another text":                 {request{Title: "a"}, request{Title: "A"}, false},
		"a text normalised otherwise":  {request{Title: "\u00e9"}, request{Title: "e\u0301"}, false},
		"line ends":                    {request{Title: "a\r\nb"}, request{Title: "a\nb"}, false},
		"another order of a list":      {request{Tags: []string{"a", "b"}}, request{Tags: []string{"b", "a"}}, false},
		"no list and an empty one":     {request{}, request{Tags: []string{}}, false},
		"a number that is left out":    {request{Count: &one}, request{}, false},
		"large numbers that are close": {raw(`9007199254740993`), raw(`9007199254740992`), false},
		"a number spelled otherwise":   {raw(`1.0`), raw(`1`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if same := receipt.Hash("p", c.a) == receipt.Hash("p", c.b); same != c.same {
				t.Errorf("the same: %v, want %v", same, c.same)
			}
		})
	}
	if receipt.Hash("a", "b") == receipt.Hash("ab", "") || receipt.Hash("a", nil) == receipt.Hash("b", nil) {
		t.Error("the prefix does not count")
	}
}

// TestUnwritable is about values that no request has.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	receipt.Hash("p", func() {})
}
