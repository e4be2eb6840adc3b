package strictjson_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

type sample struct {
	Name  string            `json:"name"`
	Parts map[string]part   `json:"parts"`
	Tags  []string          `json:"tags"`
	Free  map[string]string `json:"free"`
	Lasts lasting           `json:"lasts"`
}

// lasting decodes itself.
type lasting time.Duration

func (l *lasting) UnmarshalJSON(data []byte) error {
	if string(data) != `"1s"` {
		return fmt.Errorf("got %s", data)
	}
	*l = lasting(time.Second)
	return nil
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
		"right":    {`{"name":"a","parts":{"x":{"size":1}},"tags":["b"],"free":{"any":"thing"}}`, nil},
		"unknown":  {`{"nom":"a","parts":{"x":{"weight":1}}}`, []string{"nom: unknown member", "parts.x.weight: unknown member"}},
		"case":     {`{"Name":"a"}`, []string{`Name: unknown member, did you mean "name"`}},
		"twice":    {`{"name":"a","name":"b","free":{"k":"1","k":"2"}}`, []string{"name: stands twice", "free.k: stands twice"}},
		"null":     {`{"name":null}`, []string{"name: null is not a value here; leave the member out"}},
		"trailing": {`{"name":"a"} {}`, []string{"more than one value"}},
		"wrong type": {`{"parts":{"x":{"size":"1"}}}`, []string{
			"parts.x.size: expected a number without fraction that is not too large, got a string"}},
		"all types": {`{"name":[],"parts":[1],"tags":{"a":"b"},"free":{"a":true,"b":[{}]},"lasts": {"x" :1},"nom":0}`, []string{
			"name: expected a string, got an array", "parts: expected an object, got an array",
			"tags: expected an array, got an object", "free.a: expected a string, got true",
			"free.b: expected a string, got an array", `lasts: got {"x" :1}`, "nom: unknown member"}},
		"a large number": {`{"parts":{"x":{"size":1e3},"y":{"size":99999999999999999999}}}`, []string{
			"parts.x.size: expected a number without fraction that is not too large, got 1e3",
			"parts.y.size: expected a number without fraction that is not too large, got 99999999999999999999"}},
		"its own decoding": {`{"lasts" : "1s", "name":"a"}`, nil},
		"an array":         {`[{"name":"a"}]`, []string{"the text: expected an object, got an array"}},

		"cut":      {`{"name":`, []string{"the text ends too early"}},
		"syntax":   {"{\n\"name\": tru }", []string{"line 2: invalid character ' ' in literal true (expecting 'e')"}},
		"too deep": {`{"free":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`, []string{"nested deeper than 32 levels"}},
		"as deep as it may be": {`{"free":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}`, []string{
			"free: expected an object, got an array"}},
		"both": {`{"nom":1} x`, []string{"nom: unknown member", "more than one value"}},
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
