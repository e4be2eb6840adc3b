package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// clause: E-09
func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, in, want string }{
		{"members are ordered by name", "a.json", `{"b":1,"a":2}`, `{"a":2,"b":1}`},
		{"numbers keep their digits", "a.json", `[9007199254740993,1.50,-0,1E+2]`, `[9007199254740993,1.50,-0,1E+2]`},
		{"escapes are decoded", "a.json", `["\u00e9\ud83d\ude00\n\/\u0000"]`, `["é😀\n/\u0000"]`},
		{"half a surrogate pair is replaced", "a.json", `["\ud800x"]`, `["` + "\ufffd" + `x"]`},
		{"a byte order mark is skipped", "a.json", "\ufeff{\"a\":1}", `{"a":1}`},
		{"the same member twice is harmless", "a.json", `{"a":[1],"a":[1]}`, `{"a":[1]}`},
		{"members of examples may repeat", "a.json", `{"example":{"a":1,"a":2}}`, `{"example":{"a":1}}`},
		{"a comma too many", "a.json", "{\"a\": [1, 2,],}", `{"a":[1,2]}`},
		{"JSON under another name", "a.yaml", "{\n\t\"a\": 1\n}", `{"a":1}`},
		{"YAML under the name of JSON", "a.json", "a: 1", `{"a":1}`},
		{"YAML in flow style", "a.yaml", "{a: 1, b: [x, 'y']}", `{"a":1,"b":["x","y"]}`},
		{"line ends of Windows", "a.yaml", "a: 1\r\nb:\r\n- x\r\n", `{"a":1,"b":["x"]}`},
		{"scalars of the core schema", "a.yaml",
			"[yes, on, off, y, NO, true, False, null, ~, 2001-01-01, 12:30:45, 1_000, .inf, .nan]",
			`["yes","on","off","y","NO",true,false,null,null,"2001-01-01","12:30:45","1_000",".inf",".nan"]`},
		{"numbers of the core schema", "a.yaml", "[0x1F, 0o17, 017, +1, -.5, 5., 1e3, 3.10, 1.2.3, 0x, e1, 1e, .]",
			`[31,15,17,1,-0.5,5,1e3,3.10,"1.2.3","0x","e1","1e","."]`},
		{"large numbers", "a.yaml", "[18446744073709551616, -9223372036854775809]", `[18446744073709551616,-9223372036854775809]`},
		{"tags", "a.yaml", "a: !!str 2\nb: !!str null\nc: !!int \"3\"\nd: !!null x\ne: !custom 4\nf: !!binary aGk=\ng: !!bool \"true\"",
			`{"a":"2","b":"null","c":3,"d":null,"e":"4","f":"aGk=","g":true}`},
		{"quoted scalars are text", "a.yaml", "a: '1'\nb: \"true\"\nc: |-\n  3\nd: >-\n  null\n", `{"a":"1","b":"true","c":"3","d":"null"}`},
		{"keys become their text", "a.yaml", "200: a\nyes: b\n1.0: c\nnull: d\n'': e\ntrue: f", `{"":"e","1.0":"c","200":"a","null":"d","true":"f","yes":"b"}`},
		{"aliases", "a.yaml", "a: &x {b: 1}\nc: *x\nd: [*x]", `{"a":{"b":1},"c":{"b":1},"d":[{"b":1}]}`},
		{"an alias as a key", "a.yaml", "a: &x k\n? *x\n: 1", `{"a":"k","k":1}`},
		{"merge keys", "a.yaml", "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  a: 0\n  <<: [*x, *y]\n",
			`{"x":{"a":1,"b":1},"y":{"b":2,"c":2},"z":{"a":0,"b":1,"c":2}}`},
		{"two merge keys", "a.yaml", "x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  <<: *x\n  <<: *y\n", `{"x":{"a":1},"y":{"a":2,"b":2},"z":{"a":1,"b":2}}`},
		{"a quoted merge key is a key", "a.yaml", "'<<': 1", `{"<<":1}`},
		{"one document with its marks", "a.yaml", "%YAML 1.2\n---\na: 1\n...\n", `{"a":1}`},
		{"an empty second document", "a.yaml", "a: 1\n---\n", `{"a":1}`},
		{"no value", "a.yaml", "a:\nb: ", `{"a":null,"b":null}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n, err := spec.Parse(test.file, []byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(n.AppendJSON(nil))); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// clause: E-01
func TestParseProblems(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'i'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "*" + string(c-1) + "]\n"
	}
	tests := []struct{ name, file, in, want string }{
		{"empty", "a.yaml", " \n", "a.yaml: the file is empty"},
		{"only comments", "a.yaml", "# nothing\n", "a.yaml: the file is empty"},
		{"broken JSON", "a.json", "{\n \"a\": tru\n}x", "a.json:2:10: not valid JSON"},
		{"a truncated file", "a.json", `{"a": [1`, "a.json:1:8: not valid JSON"},
		{"broken YAML", "a.yaml", "a: b\nc: [", "a.yaml:2:1: not valid YAML"},
		{"a tab for indentation", "a.yaml", "a:\n\tb: 1\n", "a.yaml:2:1: not valid YAML"},
		{"bytes that are no text", "a.yaml", "a: 1\nb: \xff", "a.yaml:2:4: the file is not UTF-8 text"},
		{"UTF-16", "a.json", "\xff\xfe{\x00}\x00", "a.json:1:1: the file is not UTF-8 text"},
		{"a NUL", "a.yaml", "a: \x00", "a.yaml: not valid YAML"},
		{"a second value for a member", "a.json", "{\"a\": 1,\n \"a\": 2}", `a.json:2:2: the member "a" stands here a second time`},
		{"a second value for a key", "a.yaml", "a: 1\nb: 2\na: 3\n", `a.yaml:3:1: the member "a" stands here a second time`},
		{"a collection as a key", "a.yaml", "? [a]\n: 1\n", "a.yaml:1:3: a key must be a plain text"},
		{"a second document", "a.yaml", "a: 1\n---\nb: 2\n", "a.yaml:3:1: a second YAML document starts here"},
		{"an alias inside its anchor", "a.yaml", "a: &x\n  b: *x\n", "a.yaml:2:6: the alias *x stands for a value that contains it"},
		{"an unknown alias", "a.yaml", "a: *x\n", "a.yaml: not valid YAML: unknown anchor 'x' referenced"},
		{"a merge of a scalar", "a.yaml", "a: {<<: 1}", "a.yaml:1:9: a merge key takes a mapping"},
		{"deep JSON", "a.json", deep, "a.json:1:514: values are nested more than 512 deep"},
		{"deep YAML", "a.yaml", "a: " + deep, "a.yaml:1:516: values are nested more than 512 deep"},
		{"very deep JSON", "a.json", strings.Repeat("[", 100_000), "a.json"},
		{"very deep YAML", "a.yaml", "a: " + strings.Repeat("[", 100_000), "a.yaml"},
		{"aliases that multiply", "a.yaml", bomb, "values, aliases counted each time"},
		{"a number without end", "a.json", "[1e999999999]", "a.json:1:2: the number has more than"},
		{"a number of many digits", "a.yaml", "a: " + strings.Repeat("9", 401), "a.yaml:1:4: the number has more than"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n, err := spec.Parse(test.file, []byte(test.in))
			if err == nil {
				t.Fatalf("parsed %.200s, want %q", n.AppendJSON(nil), test.want)
			}
			if _, ok := err.(spec.Problems); !ok {
				t.Errorf("the error is a %T", err)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %.300s\nwant %s", err, test.want)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for file, in := range map[string]string{
		"a.json": "{\n  \"a\": {\n    \"b\": [1,\n      true]}}",
		"a.yaml": "# a comment\na:\n    b: [1,\n      true]\n",
	} {
		n, err := spec.Parse(file, []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		b := n.Get("a").Members[0]
		got := []string{b.Pos.String(), b.Value.Items[1].Pos.String()}
		if diff := cmp.Diff([]string{file + ":3:5", file + ":4:7"}, got); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	}
}
