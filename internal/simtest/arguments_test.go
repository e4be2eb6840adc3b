package simtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// right are arguments of every tool that it takes, at tick 0.
var right = map[string]string{
	"list_scenarios":     `{}`,
	"status":             `{}`,
	"start_episode":      `{"scenario_id":"stage1-basic@londone","seed":7}`,
	"building_to_coords": `{"building_id":"l41"}`,
	"travel_time":        `{"from":{"vehicle_id":"truck-1"},"to":{"point":{"x":600.5,"y":500}}}`,
	"dispatch": `{"expected_tick":0,"vehicle_id":"truck-1","incident_id":"i","rationale":"go",` +
		`"destination":{"x":600.5,"y":500}}`,
	"next_tick": `{"expected_tick":0,"tokens":{"intake":{"read":1,"write":2,"cache_read":3},"dispatch":{"read":1,"write":2,"cache_read":3}}}`,
}

// wrong are values that no member of any tool takes, as they are written.
var wrong = []string{
	`null`, `true`, `[]`, `[1,2]`, `{}`, `""`, `" "`, `"\t"`, `"a b"`, `"\u0000"`, `"a\u0007"`, `"\u001b[31m"`, `"\u007f"`,
	`"żółw\u200b"`, `"` + strings.Repeat("x", 65) + `\u0001"`, `"` + strings.Repeat("7", 100000) + `\u0002"`, `"NaN"`, `"Infinity"`, `"1e400"`,
	`1e400`, `-1e400`, `9007199254740993`, `1e30`, `-1`, `-0.05e9`, `0.5e-400`, `18446744073709551616`, `1000001`, `-9223372036854775809`,
	`{"vehicle_id":"truck-1","point":{"x":1,"y":1}}`, `{"x":1}`, `{"x":"1","y":"2"}`, `[700.0,310.0]`, `{"point":[1,2]}`,
	`{"x":1,"y":1,"z":1}`, `{"a":{"b":{"c":[{"d":1}]}}}`,
}

// noJSON are values that are none, as callers in a hurry write them.
var noJSON = []string{`NaN`, `Infinity`, `-Infinity`, `undefined`, `01`, `+1`, `.5`, `0x10`, `'a'`, `"\ud800"x`, "\"a\x01\"", `{"a":1,}`}

// codes are those that arguments can get.
var codes = []string{
	"INVALID_ARGUMENT", "UNKNOWN_SCENARIO", "UNKNOWN_VEHICLE", "UNKNOWN_BUILDING", "OUT_OF_BOUNDS", "SNAP_TOO_FAR", "NO_ROUTE", "TICK_MISMATCH",
}

// places are where in arguments a value or an object stands: by the path of
// member names.
func places(v any, path []string, all *[][]string) {
	*all = append(*all, slices.Clone(path))
	if object, ok := v.(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			places(object[name], append(path, name), all)
		}
	}
}

// with gives arguments with another text in a place, or with a member more.
func with(text string, path []string, value string, member string) string {
	if len(path) == 0 {
		if member == "" {
			return value
		}
		inside := strings.TrimSpace(text)[1:]
		if strings.TrimSpace(inside) != "}" {
			inside = "," + inside
		}
		return "{" + member + ":" + value + inside
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(err)
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		part := string(object[name])
		if name == path[0] {
			part = with(part, path[1:], value, member)
		}
		parts = append(parts, fmt.Sprintf("%q:%s", name, part))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// mutation is a change of right arguments.
type mutation struct{ arguments, what, member, value string }

// mutations are wrong arguments of a tool.
func mutations(t *testing.T, text string) (all []mutation) {
	t.Helper()
	var v any
	ok(t, json.Unmarshal([]byte(text), &v))
	var paths [][]string
	places(v, nil, &paths)
	for _, path := range paths {
		for _, value := range append(slices.Clone(wrong), noJSON...) {
			all = append(all, mutation{with(text, path, value, ""), fmt.Sprintf("%v = %.20s", path, value), strings.Join(path, "."), value})
		}
	}
	for _, path := range paths {
		if at, isObject := at(v, path); isObject {
			for _, member := range []string{`"unknown"`, `"Seed"`, `"expected_tick "`, `"__proto__"`, `"$ref"`, `""`, `"\u0000"`} {
				all = append(all, mutation{with(text, path, `1`, member), fmt.Sprintf("%v with %s", path, member), "", ""})
			}
			for name := range at {
				all = append(all, mutation{with(text, path, `1`, fmt.Sprintf("%q", name)), fmt.Sprintf("%v with %s twice", path, name), "", ""})
			}
		}
	}
	return all
}

func at(v any, path []string) (map[string]any, bool) {
	for _, name := range path {
		v = v.(map[string]any)[name]
	}
	object, isObject := v.(map[string]any)
	return object, isObject
}

// taken reports whether a place takes one of the values of wrong after all.
func taken(tool string, m mutation) bool {
	var text string
	isText := json.Unmarshal([]byte(m.value), &text) == nil && strings.HasPrefix(m.value, `"`)
	printable := !strings.ContainsFunc(text, func(r rune) bool { return r < '!' || r > '~' })
	switch {
	case m.member == "" && (m.value == "{}" || m.value == "null"): // no arguments
		return tool == "status" || tool == "list_scenarios"
	case m.member == "rationale":
		return isText && strings.TrimSpace(text) != "" && len([]rune(text)) <= 1000 && !strings.ContainsAny(text, "\x00\x02\a\x01\x1b\x7f")
	case m.member == "incident_id":
		return isText && printable && text != "" && len(text) <= 64
	case strings.HasPrefix(m.member, "tokens"): // which roles are left out is up to the caller
		return m.value == "{}" || m.value == "1000001" && strings.Count(m.member, ".") == 2 || nought(m)
	case m.member == "seed":
		return m.value == "1000001" || nought(m)
	case m.member == "expected_tick", strings.HasPrefix(m.member, "destination."), strings.HasPrefix(m.member, "to.point."):
		return nought(m)
	}
	return false
}

// nought reports whether a number is 0 by the precision that numbers have.
func nought(m mutation) bool { return m.value == "0.5e-400" }

// TestArguments: whatever is wrong with the arguments of a tool, at whatever
// depth, is refused with a code that says so, and changes nothing.
//
// clause: S-10, S-11, S-29
func TestArguments(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	run := c.must(t, "start_episode", begin).read(t).RunID
	c.must(t, "dispatch", dispatch(0, "truck-2", 400))
	state := func() string {
		t.Helper()
		names, err := os.ReadDir(p.runs)
		ok(t, err)
		text, err := os.ReadFile(filepath.Join(p.runs, run+runlog.Suffix))
		ok(t, err)
		snapshot, err := request(t.Context(), "GET", p.url+"/api/v1/snapshot", "", nil)
		ok(t, err)
		return fmt.Sprint(len(names), c.must(t, "status", `{}`).text, string(text), string(snapshot.body))
	}
	before, refused, lost := state(), map[string]int{}, 0
	for _, tool := range slices.Sorted(maps.Keys(right)) {
		for _, m := range mutations(t, right[tool]) {
			if taken(tool, m) {
				continue
			}
			r, err := c.call(t.Context(), tool, m.arguments)
			var protocol *protocolError
			switch {
			case errors.As(err, &protocol):
				if lost++; protocol.status != 400 || !strings.Contains(protocol.body, `"error":{"code":`) || json.Valid([]byte(m.arguments)) && unique(m) {
					t.Errorf("%s, %s: %v", tool, m.what, err)
				}
			case err != nil:
				t.Errorf("%s, %s: %v", tool, m.what, err)
			case !slices.Contains(codes, r.code):
				t.Errorf("%s, %s: %.200s", tool, m.what, r.text)
			case len(r.message) < 10:
				t.Errorf("%s, %s: it says only %q", tool, m.what, r.text)
			default:
				refused[r.code]++
			}
		}
		if after := state(); after != before {
			t.Fatalf("%s with wrong arguments has changed something:\n%s\n%s", tool, before, after)
		}
	}
	t.Logf("refused: %v, and %d that are no JSON", refused, lost)
	if refused["INVALID_ARGUMENT"] < 500 {
		t.Errorf("refused: %v", refused)
	}
}

// unique reports whether a mutation is JSON without a member that stands twice,
// which is no message.
func unique(m mutation) bool { return !strings.HasSuffix(m.what, "twice") }

// TestAnyArguments sends what nobody thought of.
//
// clause: S-10, S-29
func TestAnyArguments(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	c.must(t, "start_episode", begin)
	before := c.must(t, "status", `{}`).text
	random := rand.New(rand.NewPCG(7, 7))
	tools := slices.Sorted(maps.Keys(right))
	for range 2000 {
		tool := tools[random.IntN(len(tools))]
		text := []byte(right[tool])
		for range 1 + random.IntN(4) {
			switch at := random.IntN(len(text)); random.IntN(3) {
			case 0:
				text[at] = byte(random.IntN(256))
			case 1:
				text = slices.Delete(text, at, min(len(text), at+1+random.IntN(3)))
			default:
				text = slices.Insert(text, at, []byte(wrong[random.IntN(len(wrong))])...)
			}
			if len(text) == 0 {
				text = []byte("0")
			}
		}
		r, err := c.call(t.Context(), tool, string(text))
		var protocol *protocolError
		switch {
		case errors.As(err, &protocol) && protocol.status == 400:
		case err != nil:
			t.Errorf("%s %.200s: %v", tool, text, err)
		case r.code == "":
			if tool == "start_episode" || tool == "dispatch" || tool == "next_tick" {
				before = c.must(t, "status", `{}`).text // it was right after all
			}
		case !slices.Contains(codes, r.code) && r.code != "WRONG_LIFECYCLE":
			t.Errorf("%s %.200s: %s", tool, text, r.text)
		}
		if after := c.must(t, "status", `{}`).text; after != before {
			t.Fatalf("%s %.200s has changed\n%s\nto\n%s", tool, text, before, after)
		}
	}
}
