package edge

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzText holds our texts against those of encoding/json, which the SDK uses.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "\x00\b\f\n\r\t\x1f\x7f\"\\/<>&", "é\u2028\u2029\u2027\xff\xe2\x80", "\xed\xa0\x80x😀",
		` { "a<b" : [ 1 , "\"\\ \u2028" , "` + "\u2029\u2027" + ` \n" ] } `, `"\\"`, " \t\n\r1 ",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, err := json.Marshal(string(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := appendJSONString(nil, data); !bytes.Equal(got, want) {
			t.Errorf("%q is quoted as %s, want %s", data, got, want)
		}
		if got := appendJSONString(nil, string(data)); !bytes.Equal(got, want) {
			t.Errorf("%q is quoted as %s, want %s", data, got, want)
		}
		if !json.Valid(data) || !utf8.Valid(data) {
			return
		}
		if want, err = json.Marshal(json.RawMessage(data)); err != nil {
			t.Fatal(err)
		}
		if got := appendCompact(nil, data); !bytes.Equal(got, want) {
			t.Errorf("%s is compacted to %s, want %s", data, got, want)
		}
	})
}
