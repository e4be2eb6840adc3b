package strictjson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/internal/jsonrpc"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// many is a text of n values and names.
func many(n int) string { return "[0" + strings.Repeat(",0", n-2) + "]" }

// TestShape counts what a decoder would, in whatever spelling.
//
// clause: P-33
func TestShape(t *testing.T) {
	t.Parallel()
	if strictjson.MaxDepth != jsonrpc.MaxDepth || strictjson.MaxTokens != jsonrpc.MaxTokens {
		t.Error("two gates have two bounds")
	}
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"as deep as may be":      {nested(32), nil},
		"too deep":               {nested(33), strictjson.ErrTooDeep},
		"objects as deep":        {strings.Repeat(`{"a":`, 31) + "{}" + strings.Repeat("}", 31), nil},
		"objects too deep":       {strings.Repeat(`{"a":`, 32) + "{}" + strings.Repeat("}", 32), strictjson.ErrTooDeep},
		"brackets in a string":   {`"` + strings.Repeat("[", 99) + `"`, nil},
		"behind an escape":       {`["\"` + strings.Repeat("[", 99) + `\\"]`, nil},
		"one after the other":    {"[" + strings.Repeat("[],", 99) + "[]]", nil},
		"a million, and no end":  {strings.Repeat("[", 1_000_000), strictjson.ErrTooDeep},
		"as many as may be":      {many(20_000), nil},
		"too many":               {many(20_001), strictjson.ErrTooMany},
		"names and values":       {"{" + strings.Repeat(`"a":1,`, 9_999) + `"a":[]}`, strictjson.ErrTooMany},
		"one fewer of them":      {"{" + strings.Repeat(`"a":1,`, 9_998) + `"a":[]}`, nil},
		"strings":                {"[" + strings.Repeat(`"a, b" , `, 19_998) + "null ]", nil},
		"words and white space":  {"[" + strings.Repeat("true ,\n-1.5e+7,\t", 9_999) + " false]", nil},
		"too many of them":       {"[" + strings.Repeat("true ,\n-1.5e+7,\t", 9_999) + " false,{}]", strictjson.ErrTooMany},
		"no JSON":                {"nothing of it", nil},
		"cut in a string":        {`["\`, nil},
		"nothing":                {"", nil},
		"a word that never ends": {strings.Repeat("x", 100_000), nil},
	} {
		if err := strictjson.Shape([]byte(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	for name, text := range map[string]string{
		"deep": `{"a":` + nested(32) + `}`, "many": `{"a":` + many(19_999) + `}`,
	} {
		var v struct{ B int }
		if err := strictjson.Known([]byte(text), &v); err == nil {
			t.Errorf("%s: Known takes it", name)
		}
		if err := strictjson.Unmarshal([]byte(text), &v); err == nil || strings.Contains(err.Error(), "unknown") {
			t.Errorf("%s: Unmarshal says %v", name, err)
		}
	}
	var v struct{ B int }
	if err := strictjson.Known([]byte(`{"a":`+nested(31)+`,"b":`+many(19_900)+`}`), &v); err != nil {
		t.Errorf("what is no more than may be: %v", err)
	}
}

// FuzzShape holds the two gates to the same bounds.
func FuzzShape(f *testing.F) {
	for _, seed := range []string{nested(31), nested(32), many(19_990), `{"a":["\"",1,true,{}]}`, `[ "\\" , -0 ]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		message := []byte(`{"params":{"a":` + text + `}}`)
		err := strictjson.Shape(message)
		_, fault := jsonrpc.Parse(message)
		if (err == nil) != (!errors.Is(fault, jsonrpc.TooDeep) && !errors.Is(fault, jsonrpc.TooMany)) {
			t.Errorf("Shape says %v, Parse %v", err, fault)
		}
	})
}

// clause: P-33
func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`"plain"`:                     true,
		`"\\u0000"`:                   true,
		`"\u0000"`:                    false,
		`{"a\u0000":1}`:               false,
		`["\\\u0000"]`:                false,
		`"\u0001\u000a"`:              true,
		`"\ud83d\ude00"`:              true,
		`"\uD83D\uDE00 \ud83d\ude00"`: true,
		`"\ud83d"`:                    false,
		`"\ud83dx\ude00"`:             false,
		`"\ude00\ud83d"`:              false,
		`"\ude00"`:                    false,
		`"\ud83d\ud83d\ude00"`:        false,
		`"\ud83d\n"`:                  false,
		`"\ud7ff\ue000\uffff"`:        true,
		"\"\x00\"":                    false,
		"\"\xff\"":                    false,
		"\"\xed\xa0\x80\"":            false, // a surrogate in UTF-8
		`"\`:                          true,  // no JSON, which is for others to say
		`"\u12`:                       true,
		``:                            true,
	} {
		if err := strictjson.Text([]byte(text)); (err == nil) != want {
			t.Errorf("%s: %v, want text %t", text, err, want)
		}
	}
}
