package nbt_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// doc is a root without a name around members.
func doc(members string) []byte { return []byte("\x0a\x00\x00" + members + "\x00") }

// number is four bytes.
func number(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

func refused(t *testing.T, data []byte, l nbt.Limits, reason string) {
	t.Helper()
	_, root, err := nbt.Decode(data, l)
	var refusal *nbt.Error
	if !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), "nbt: "+reason) || root != nil {
		t.Errorf("%q of %d bytes: root %v, error %v, want %q", data[:min(20, len(data))], len(data), root, err, reason)
	}
}

// clause: W-33
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, reason string }{
		{"nothing", "", "truncated"},
		{"no name", "\x0a\x00", "truncated"},
		{"short name", "\x0a\x00\x02a", "truncated"},
		{"root of bytes", "\x07\x00\x00\x00\x00\x00\x00", "the root is no compound but byte array"},
		{"root of nothing", "\x00", "the root is no compound but end"},
		{"root of tag 13", "\x0d\x00\x00", "tag 13"},
		{"tag 13", string(doc("\x0d\x00\x01A")), "tag 13"},
		{"tag 255", string(doc("\xff\x00\x01A")), "tag 255"},
		{"list of tag 13", string(doc("\x09\x00\x01A\x0d" + number(0))), "tag 13"},
		{"list of end", string(doc("\x09\x00\x01A\x00" + number(1))), "bad list"},
		{"list of 2 Gi ends", string(doc("\x09\x00\x01A\x00" + number(1<<31-1))), "bad list"},
		{"list of -1", string(doc("\x09\x00\x01A\x01" + number(1<<32-1))), "bad list"},
		{"bytes of -1", string(doc("\x07\x00\x01A" + number(1<<32-1))), "truncated"},
		{"ints of 2 Gi", string(doc("\x0b\x00\x01A" + number(1<<31-1))), "truncated"},
		{"longs of 2 Gi", string(doc("\x0c\x00\x01A" + number(1<<31-1))), "truncated"},
		{"twice", string(doc("\x01\x00\x01A\x00\x01\x00\x01A\x00")), `duplicate key "A"`},
		{"twice, of other types", string(doc("\x01\x00\x01A\x00\x02\x00\x01A\x00\x00")), `duplicate key "A"`},
		{"more", string(doc("")) + "\x00", "data after the root compound"},
		{"bad name", string(doc("\x01\x00\x01\xff\x00")), "bad string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refused(t, []byte(c.data), roomy, c.reason)
		})
	}
	t.Run("twice in a large one", func(t *testing.T) {
		t.Parallel()
		var members strings.Builder
		for i := range 40 {
			members.WriteString("\x01\x00\x01" + string(rune('A'+i)) + "\x00")
		}
		if _, _, err := nbt.Decode(doc(members.String()), roomy); err != nil {
			t.Error(err)
		}
		refused(t, doc(members.String()+"\x01\x00\x01B\x00"), roomy, `duplicate key "B"`)
	})
}

// What comes after the root is given back, and nothing of a tree that is refused.
func TestLeading(t *testing.T) {
	t.Parallel()
	for _, rest := range []string{"", "\x00", "more"} {
		_, root, got, err := nbt.Leading([]byte(string(doc(""))+rest), roomy)
		if err != nil || root == nil || string(got) != rest {
			t.Errorf("%q: %v, %q, %v", rest, root, got, err)
		}
	}
	if _, root, rest, err := nbt.Leading([]byte{10, 0}, roomy); err == nil || root != nil || rest != nil {
		t.Errorf("%v, %q, %v", root, rest, err)
	}
}

// A length is held against what is left: one item more than there is, is
// refused, for each kind.
func TestLengths(t *testing.T) {
	t.Parallel()
	for kind, size := range map[string]int{"\x07": 1, "\x0b": 4, "\x0c": 8} {
		for _, n := range []int{0, 1, 5} {
			if _, _, err := nbt.Decode(doc(kind+"\x00\x01A"+number(uint32(n))+strings.Repeat("\x01", n*size)), roomy); err != nil {
				t.Errorf("array %q of %d: %v", kind, n, err)
			}
			// The end of the root makes a byte: one item of one byte fits, the end is then missing.
			refused(t, doc(kind+"\x00\x01A"+number(uint32(n+1))+strings.Repeat("\x01", n*size)), roomy, "truncated")
		}
	}
	for of, item := range map[string]string{
		"\x01": "\x07", "\x02": "\x07\x07", "\x03": "\x07\x07\x07\x07", "\x04": "\x07\x07\x07\x07\x07\x07\x07\x07",
		"\x05": "\x07\x07\x07\x07", "\x06": "\x07\x07\x07\x07\x07\x07\x07\x07", "\x07": number(0), "\x08": "\x00\x00",
		"\x09": "\x00" + number(0), "\x0a": "\x00", "\x0b": number(0), "\x0c": number(0),
	} {
		for _, n := range []int{0, 1, 5} {
			if _, _, err := nbt.Decode(doc("\x09\x00\x01A"+of+number(uint32(n))+strings.Repeat(item, n)), roomy); err != nil {
				t.Errorf("list of %q, %d items: %v", of, n, err)
			}
			refused(t, doc("\x09\x00\x01A"+of+number(uint32(n+1))+strings.Repeat(item, n)), roomy, "truncated")
		}
	}
}

// Every beginning of a tree is truncated, and nothing else.
func TestTruncated(t *testing.T) {
	t.Parallel()
	data := nbt.Encode("name", tree(rand.New(rand.NewPCG(7, 7)), 3))
	if len(data) < 1000 {
		t.Fatalf("%d bytes prove little", len(data))
	}
	for n := range data {
		refused(t, data[:n], roomy, "truncated")
	}
}

// Each limit is met exactly by what it lets pass.
//
// clause: W-33
func TestLimits(t *testing.T) {
	t.Parallel()
	data := nbt.Encode("", tree(rand.New(rand.NewPCG(7, 7)), 4))
	_, _, cost, err := nbt.Measure(data, roomy)
	if err != nil {
		t.Fatal(err)
	}
	if cost.Depth < 4 || cost.Tags < 50 {
		t.Fatalf("%+v proves little", cost)
	}
	exact := nbt.Limits{Bytes: len(data), Depth: cost.Depth, Tags: cost.Tags, Alloc: cost.Alloc}
	if _, _, err := nbt.Decode(data, exact); err != nil {
		t.Errorf("at its limits: %v", err)
	}
	for reason, l := range map[string]nbt.Limits{
		"too deep":        {Bytes: exact.Bytes, Depth: exact.Depth - 1, Tags: exact.Tags, Alloc: exact.Alloc},
		"too many tags":   {Bytes: exact.Bytes, Depth: exact.Depth, Tags: exact.Tags - 1, Alloc: exact.Alloc},
		"too much memory": {Bytes: exact.Bytes, Depth: exact.Depth, Tags: exact.Tags, Alloc: exact.Alloc - 1},
		"":                {Bytes: exact.Bytes - 1, Depth: exact.Depth, Tags: exact.Tags, Alloc: exact.Alloc},
	} {
		refused(t, data, l, reason)
	}
	refused(t, doc(""), nbt.Limits{Bytes: 100, Depth: 1, Alloc: 1 << 20}, "too many tags")
	refused(t, doc(""), nbt.Limits{Bytes: 100, Tags: 1, Alloc: 1 << 20}, "too deep")
	if _, _, err := nbt.Decode(doc(""), nbt.Limits{Bytes: 4, Depth: 1, Tags: 1, Alloc: 1 << 10}); err != nil {
		t.Error(err)
	}
}
