package strictjson_test

import (
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// TestExact goes through what one object may not be, and sees that no error
// quotes what was sent.
func TestExact(t *testing.T) {
	t.Parallel()
	type person struct {
		Name *string `json:"name"`
		Age  *int64  `json:"age"`
	}
	for name, c := range map[string]struct{ text, want string }{
		"right":             {`{"name":"secret","age":3}`, ""},
		"white space in it": {"{ \"name\" :\n\"secret\" }", ""},
		"null":              {`{"name":null}`, ""},
		"nothing":           {``, "not one object"},
		"null alone":        {`null`, "not one object"},
		"a list":            {`[]`, "not one object"},
		"a line behind":     {"{}\n", "not one object"},
		"a space before":    {" {}", "not one object"},
		"a mark before":     {"\xef\xbb\xbf{}", "not one object"},
		"two objects":       {`{}{}`, "not valid JSON"},
		"cut":               {`{"name":"secret}`, "not valid JSON"},
		"twice":             {`{"name":"secret","name":"secret"}`, "stands twice"},
		"twice by escapes":  {`{"name":"secret","\u006eame":"secret"}`, "stands twice"},
		"another case":      {`{"Name":"secret"}`, "an unknown member"},
		"unknown":           {`{"name":"a","more":"secret"}`, "an unknown member"},
		"another type":      {`{"name":["secret"]}`, "/name"},
		"a fraction":        {`{"age":3.0}`, "/age"},
		"an exponent":       {`{"age":3e0}`, "/age"},
		"too large":         {`{"age":9223372036854775808}`, "/age"},
		"not UTF-8":         {"{\"name\":\"secret\xff\"}", "not valid JSON"},
		"half a surrogate":  {`{"name":"\ud800"}`, "not valid JSON"},
	} {
		var p person
		err := strictjson.Exact([]byte(c.text), &p)
		switch {
		case c.want == "":
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		case strings.Contains(err.Error(), "secret"):
			t.Errorf("%s: the error quotes what was sent: %v", name, err)
		}
	}
}
