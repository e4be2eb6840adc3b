package command_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

const (
	thing = "11111111-1111-4111-8111-111111111111"
	keyA  = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
)

// clause: E-41
func TestOf(t *testing.T) {
	t.Parallel()
	good := command.Command{Operation: "op", ID: uuid.MustParse(thing), Key: uuid.MustParse(keyA)}
	for name, c := range map[string]struct {
		id, key, ifMatch string
		expected         int64 // −2: refused
	}{
		"a revision":             {thing, keyA, "7", 7},
		"an ETag":                {thing, keyA, `"7"`, 7},
		"nothing yet":            {thing, keyA, "0", 0},
		"the largest":            {thing, keyA, "9223372036854775807", 9223372036854775807},
		"no If-Match":            {thing, keyA, "", command.AnyRevision},
		"one too large":          {thing, keyA, "9223372036854775808", -2},
		"a leading zero":         {thing, keyA, "07", -2},
		"a sign":                 {thing, keyA, "+7", -2},
		"a negative one":         {thing, keyA, "-1", -2},
		"half an ETag":           {thing, keyA, `"7`, -2},
		"a weak ETag":            {thing, keyA, `W/"7"`, -2},
		"any":                    {thing, keyA, "*", -2},
		"empty quotes":           {thing, keyA, `""`, -2},
		"an id in upper case":    {"AAAAAAAA-1111-4111-8111-111111111111", keyA, "0", -2},
		"an id in braces":        {"{" + thing + "}", keyA, "0", -2},
		"a key as URN":           {thing, "urn:uuid:" + keyA, "0", -2},
		"a key without hyphens":  {thing, "aaaaaaaaaaaa4aaa8aaaaaaaaaaaaaaa", "0", -2},
		"a key that is no UUID":  {thing, "seven", "0", -2},
		"an id that is not said": {"", keyA, "0", -2},
	} {
		got, err := command.Of("op", c.id, c.key, c.ifMatch)
		if c.expected == -2 {
			if fault.CodeOf(err) != fault.Invalid {
				t.Errorf("%s: %+v, error %v", name, got, err)
			}
			continue
		}
		want := good
		want.Expected = c.expected
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
	if got := command.ETag(7); got != `"7"` {
		t.Errorf("ETag: %s", got)
	}
}
