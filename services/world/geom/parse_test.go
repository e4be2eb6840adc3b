package geom_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// TestParseRecipe reads every operation with every member.
//
// clause: W-12
func TestParseRecipe(t *testing.T) {
	t.Parallel()
	got, err := geom.ParseRecipe([]byte(`{"version": 1, "operations": [
		{"type": "box", "min": {"x": 1, "y": 2, "z": 3}, "max": {"x": -4, "y": 5, "z": -6}, "block": "stone", "hollow": true},
		{"type": "line", "from": {"x": 0, "y": 0, "z": 0}, "to": {"x": 9, "y": 9, "z": 9}, "block": "minecraft:oak_log[axis=y]"},
		{"type": "cylinder", "center": {"x": 0, "y": 1, "z": 0}, "radius": 3, "height": 4, "block": "stone", "hollow": false},
		{"type": "repeat", "count": 2, "offset": {"x": 0, "y": 4, "z": 0}, "operations": [
			{"type": "sphere", "center": {"x": 0, "y": 1, "z": 0}, "radius": 3, "block": "stone", "hollow": true},
			{"type": "replace", "min": {"x": 1, "y": 2, "z": 3}, "max": {"x": 1, "y": 2, "z": 3}, "from": "dirt", "block": "stone"}
		]}
	]}`))
	want := geom.Recipe{Version: 1, Operations: []geom.Operation{
		geom.Cuboid{Min: geom.Pos{X: 1, Y: 2, Z: 3}, Max: geom.Pos{X: -4, Y: 5, Z: -6}, Block: "stone", Hollow: true},
		geom.Line{To: geom.Pos{X: 9, Y: 9, Z: 9}, Block: "minecraft:oak_log[axis=y]"},
		geom.Cylinder{Center: geom.Pos{Y: 1}, Radius: 3, Height: 4, Block: "stone"},
		geom.Repeat{Count: 2, Offset: geom.Pos{Y: 4}, Operations: []geom.Operation{
			geom.Sphere{Center: geom.Pos{Y: 1}, Radius: 3, Block: "stone", Hollow: true},
			geom.Replace{Min: geom.Pos{X: 1, Y: 2, Z: 3}, Max: geom.Pos{X: 1, Y: 2, Z: 3}, From: "dirt", Block: "stone"},
		}},
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, recipe (-want +got):\n%s", err, diff)
	}
}

// TestParseRecipeRefuses has what no recipe may have, each with the place that
// is named and a part of what is said of it.
//
// clause: W-12
func TestParseRecipeRefuses(t *testing.T) {
	t.Parallel()
	const box = `{"type":"box","min":{"x":0,"y":0,"z":0},"max":{"x":0,"y":0,"z":0},"block":"stone"`
	with := func(operation string) string { return `{"version":1,"operations":[` + operation + `]}` }
	for name, c := range map[string]struct{ text, pointer, message string }{
		"no JSON":                {`{"version":1`, "", "not JSON"},
		"nothing":                {``, "", "not JSON"},
		"an array":               {`[]`, "", "a recipe is an object"},
		"a string":               {`"x"`, "", "a recipe is an object"},
		"two values":             {with(box+"}") + " 1", "", "follows the recipe"},
		"too deep":               {strings.Repeat(`[`, 33), "", "32 levels"},
		"very deep":              {strings.Repeat(`[`, 1_000_000), "", "32 levels"},
		"too many values":        {with(strings.Repeat("0,", 20_000) + "0"), "", "20000 values"},
		"no version":             {`{"operations":[]}`, "", `needs the member "version"`},
		"no operations":          {`{"version":1}`, "", `needs the member "operations"`},
		"version 2":              {`{"version":2,"stages":[]}`, "/version", "version 2 is not known; write version 1"},
		"version 1.0":            {`{"version":1.0,"operations":[]}`, "/version", "version 1.0 is not known"},
		"version as text":        {`{"version":"1","operations":[]}`, "/version", "version a string is not known"},
		"more at the top":        {`{"version":1,"operations":[],"script":"x"}`, "/script", "no such member"},
		"another case":           {`{"Version":1,"operations":[]}`, "/Version", "no such member"},
		"a member twice":         {`{"version":1,"version":1,"operations":[]}`, "/version", "stands twice"},
		"twice by escapes":       {`{"version":1,"v\u0065rsion":1,"operations":[]}`, "/version", "stands twice"},
		"operations no array":    {`{"version":1,"operations":{}}`, "/operations", "it is an object; operations are an array"},
		"operation no object":    {with(`"box"`), "/operations/0", "it is a string; an operation is an object"},
		"no type":                {with(`{}`), "/operations/0", `needs the member "type"`},
		"type no string":         {with(`{"type":3}`), "/operations/0/type", "it is 3; write a string"},
		"unknown type":           {with(`{"type":"pyramid"}`), "/operations/0/type", "no operation of this type"},
		"code":                   {with(`{"type":"script","code":"x"}`), "/operations/0/type", "no operation of this type"},
		"unknown member":         {with(box + `,"holow":true}`), "/operations/0/holow", "a box has no such member; it has type, min, max, block, hollow"},
		"a slash in a name":      {with(box + `,"a/b~c":true}`), "/operations/0/a~1b~0c", "no such member"},
		"hollow line":            {with(`{"type":"line","from":{},"to":{},"block":"stone","hollow":true}`), "/operations/0/hollow", "no such member"},
		"no block":               {with(`{"type":"line","from":{},"to":{}}`), "/operations/0", `a line needs the member "block"`},
		"null":                   {with(box + `,"hollow":null}`), "/operations/0/hollow", "it is null; write true or false"},
		"a position no object":   {with(`{"type":"line","from":[0,0,0],"to":{},"block":"stone"}`), "/operations/0/from", "a position is an object"},
		"half a position":        {with(`{"type":"line","from":{"x":0,"z":0},"to":{},"block":"stone"}`), "/operations/0/from", `needs the member "y"`},
		"more than a position":   {with(`{"type":"line","from":{"x":0,"y":0,"z":0,"w":0},"to":{},"block":"stone"}`), "/operations/0/from/w", "no such member"},
		"a fraction":             {with(`{"type":"line","from":{"x":0.5,"y":0,"z":0},"to":{},"block":"stone"}`), "/operations/0/from/x", "without fraction"},
		"an exponent":            {with(`{"type":"line","from":{"x":1e3,"y":0,"z":0},"to":{},"block":"stone"}`), "/operations/0/from/x", "without fraction"},
		"a number as text":       {with(`{"type":"line","from":{"x":"1","y":0,"z":0},"to":{},"block":"stone"}`), "/operations/0/from/x", "it is a string"},
		"more than 32 bits":      {with(`{"type":"line","from":{"x":2147483648,"y":0,"z":0},"to":{},"block":"stone"}`), "/operations/0/from/x", "32 bits"},
		"less than 32 bits":      {with(`{"type":"line","from":{"x":-2147483649,"y":0,"z":0},"to":{},"block":"stone"}`), "/operations/0/from/x", "32 bits"},
		"inside a repeat":        {with(`{"type":"repeat","count":1,"offset":{"x":0,"y":0,"z":0},"operations":[` + box + `},7]}`), "/operations/0/operations/1", "it is 7"},
		"a repeat without":       {with(`{"type":"repeat","count":1,"offset":{"x":0,"y":0,"z":0}}`), "/operations/0", `a repeat needs the member "operations"`},
		"a long name is cut":     {`{"` + strings.Repeat("n", 1000) + `":1}`, "/" + strings.Repeat("n", 64), "no such member"},
		"a mistake after others": {with(box + "}," + box + `},{"type":"x"}`), "/operations/2/type", "no operation"},
	} {
		_, err := geom.ParseRecipe([]byte(c.text))
		e, ok := errors.AsType[*geom.Error](err)
		if !ok {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e.Pointer != c.pointer || !strings.Contains(e.Message, c.message) {
			t.Errorf("%s: at %q: %s\nwant at %q: … %s …", name, e.Pointer, e.Message, c.pointer, c.message)
		}
	}
}

// FuzzParseRecipe holds the parser to what any JSON parser takes, and Compile to
// its limits whatever the recipe says.
//
// clause: W-12
func FuzzParseRecipe(f *testing.F) {
	f.Add([]byte(`{"version":1,"operations":[{"type":"box","min":{"x":0,"y":0,"z":0},"max":{"x":9,"y":9,"z":9},"block":"stone","hollow":true}]}`))
	f.Add([]byte(`{"version":1,"operations":[{"type":"repeat","count":7,"offset":{"x":1,"y":0,"z":0},"operations":[` +
		`{"type":"sphere","center":{"x":0,"y":0,"z":0},"radius":3,"block":"dirt"},` +
		`{"type":"replace","min":{"x":0,"y":0,"z":0},"max":{"x":9,"y":9,"z":9},"from":"stone","block":"glass"}]}]}`))
	f.Add([]byte(`{"version":1,"operations":[{"type":"cylinder","center":{"x":0,"y":0,"z":0},"radius":3,"height":2,"block":"a"},` +
		`{"type":"line","from":{"x":-3,"y":0,"z":0},"to":{"x":5,"y":2,"z":1},"block":"b"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := geom.ParseRecipe(text)
		if err != nil {
			if _, ok := errors.AsType[*geom.Error](err); !ok {
				t.Errorf("error of another kind: %v", err)
			}
			return
		}
		if !json.Valid(text) {
			t.Errorf("a recipe that is not JSON: %q", text)
		}
		limits := geom.Default()
		placements, err := geom.Compile(r, limits)
		if err != nil {
			if _, ok := errors.AsType[*geom.Error](err); !ok {
				t.Errorf("error of another kind: %v", err)
			}
			return
		}
		if len(placements) == 0 {
			t.Error("a recipe without placements")
		}
		checkOrder(t, placements, limits)
	})
}

func checkOrder(t *testing.T, placements []geom.Placement, limits geom.Limits) {
	t.Helper()
	positions := 0
	for i, p := range placements {
		if i == 0 || placements[i-1].Pos != p.Pos {
			positions++
		} else if p.Only == "" {
			t.Errorf("a placement for always behind another at %v", p.Pos)
		}
		if i > 0 && placements[i-1].Compare(p.Pos) > 0 {
			t.Errorf("%v stands before %v", placements[i-1].Pos, p.Pos)
		}
	}
	if positions > limits.Result {
		t.Errorf("%d positions", positions)
	}
}
