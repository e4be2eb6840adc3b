package nbt_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// stringDoc is a root with one string of these bytes.
func stringDoc(raw string) []byte {
	return doc("\x08\x00\x01A" + string(binary.BigEndian.AppendUint16(nil, uint16(len(raw)))) + raw)
}

func TestModifiedUTF8(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"":                           "",
		"plain\x01\x7f":              "plain\x01\x7f",
		"\xc0\x80":                   "\x00",
		"\xc2\x80\xdf\xbf":           "\u0080\u07ff",
		"\xe0\xa0\x80\xef\xbf\xbf":   "\u0800\uffff",
		"\xef\xbf\xbd":               "\ufffd",
		"\xed\xa0\x80\xed\xb0\x80":   "\U00010000",
		"\xed\xaf\xbf\xed\xbf\xbf":   "\U0010ffff",
		"a\xed\xa0\xbe\xed\xb7\xb1b": "a🧱b",
		// Halves of pairs, which Java keeps in its strings.
		"\xed\xa0\x80":                         "\xed\xa0\x80",
		"\xed\xb0\x80":                         "\xed\xb0\x80",
		"\xed\xb0\x80\xed\xa0\x80":             "\xed\xb0\x80\xed\xa0\x80",
		"\xed\xa0\x80x":                        "\xed\xa0\x80x",
		"\xed\xa0\x80\xed\xa0\x80\xed\xb0\x80": "\xed\xa0\x80\U00010000",
		"\xed\x9f\xbf\xee\x80\x80":             "\ud7ff\ue000",
	} {
		name, root, err := nbt.Decode(stringDoc(raw), roomy)
		if err != nil {
			t.Errorf("%q: %v", raw, err)
			continue
		}
		if got, _ := nbt.Get[nbt.String](root, "A"); string(got) != want {
			t.Errorf("%q reads as %q, want %q", raw, got, want)
		}
		if got := nbt.Encode(name, root); !slices.Equal(got, stringDoc(raw)) {
			t.Errorf("%q is written as %q", raw, got)
		}
	}
	for _, raw := range []string{
		"\x00",         // as two bytes only
		"\x80", "\xbf", // a follower alone
		"\xc0", "\xc2", // nothing follows
		"\xc0\x81",         // overlong
		"\xc1\xbf",         // overlong
		"\xc2\x7f",         // no follower
		"\xe0\x9f\xbf",     // overlong
		"\xe1\x80",         // cut
		"\xe1\x80\xc0",     // no follower
		"\xf0\x90\x80\x80", // four bytes are UTF-8 only
		"\xff", "\xfe",
	} {
		refused(t, stringDoc(raw), roomy, "bad string")
		refused(t, stringDoc("abc"+raw+"def"), roomy, "bad string")
	}
}

// What is no UTF-8 and no half of a pair cannot be kept.
func TestInvalidText(t *testing.T) {
	t.Parallel()
	c := &nbt.Compound{}
	c.Set("A", nbt.String("a\xffb\xed\x20\xc3"))
	if got, want := nbt.Encode("", c), stringDoc("a\ufffdb\ufffd\x20\ufffd"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
