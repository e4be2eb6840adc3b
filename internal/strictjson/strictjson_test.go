package strictjson_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

type sample struct {
	Name  string            `json:"name"`
	Parts map[string]part   `json:"parts"`
	Tags  []string          `json:"tags"`
	Free  map[string]string `json:"free"`
}

type part struct {
	Size int `json:"size"`
}

func TestUnmarshal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"right":      {`{"name":"a","parts":{"x":{"size":1}},"tags":["b"],"free":{"any":"thing"}}`, nil},
		"unknown":    {`{"nom":"a","parts":{"x":{"weight":1}}}`, []string{"nom: unknown member", "parts.x.weight: unknown member"}},
		"case":       {`{"Name":"a"}`, []string{`Name: unknown member, did you mean "name"`}},
		"twice":      {`{"name":"a","name":"b","free":{"k":"1","k":"2"}}`, []string{"name: stands twice", "free.k: stands twice"}},
		"null":       {`{"name":null}`, []string{"name: null is not a value here; leave the member out"}},
		"trailing":   {`{"name":"a"} {}`, []string{"more than one value"}},
		"wrong type": {`{"parts":{"x":{"size":"1"}}}`, []string{"parts.size: a JSON string is not a int"}},
		"cut":        {`{"name":`, []string{"the text ends too early"}},
		"syntax":     {"{\n\"name\": tru }", []string{"line 2: invalid character ' ' in literal true (expecting 'e')"}},
		"deep":       {`{"free":` + strings.Repeat("[", 66) + strings.Repeat("]", 66) + `}`, []string{"nested deeper than 64"}},
		"both":       {`{"nom":1} x`, []string{"nom: unknown member", "more than one value"}},
	} {
		var v sample
		err := strictjson.Unmarshal([]byte(c.text), &v)
		var got []string
		if err != nil {
			got = strings.Split(err.Error(), "\n")
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
