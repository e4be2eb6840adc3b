package nbt_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// roomy lets every tree of these tests pass.
var roomy = nbt.Limits{Bytes: 16 << 20, Depth: 64, Tags: 1 << 20, Alloc: 1 << 30}

// tree is a random compound.
func tree(r *rand.Rand, depth int) *nbt.Compound {
	c := &nbt.Compound{}
	for i := range r.IntN(30) { // on both sides of the size that gets an index
		c.Set(word(r)+strconv.Itoa(i), tag(r, nbt.Kind(1+r.IntN(12)), depth))
	}
	return c
}

func tag(r *rand.Rand, kind nbt.Kind, depth int) nbt.Tag {
	switch kind {
	case nbt.KindByte:
		return nbt.Byte(r.Uint32())
	case nbt.KindShort:
		return nbt.Short(r.Uint32())
	case nbt.KindInt:
		return nbt.Int(r.Uint32())
	case nbt.KindLong:
		return nbt.Long(r.Uint64())
	case nbt.KindFloat:
		return nbt.Float(math.Float32frombits(r.Uint32()))
	case nbt.KindDouble:
		return nbt.Double(math.Float64frombits(r.Uint64()))
	case nbt.KindByteArray:
		return nbt.ByteArray(word(r))
	case nbt.KindString:
		return nbt.String(word(r))
	case nbt.KindIntArray:
		return nbt.IntArray{int32(r.Uint32()), int32(r.Uint32())}[:r.IntN(3)]
	case nbt.KindLongArray:
		return nbt.LongArray{int64(r.Uint64()), int64(r.Uint64())}[:r.IntN(3)]
	case nbt.KindList:
		list := nbt.List{Of: nbt.Kind(r.IntN(13))}
		if depth > 0 && list.Of != nbt.KindEnd {
			for range r.IntN(5) {
				list.Items = append(list.Items, tag(r, list.Of, depth-1))
			}
		}
		return list
	}
	if depth == 0 {
		return &nbt.Compound{}
	}
	return tree(r, depth-1)
}

// word is a random text with every length of characters in it.
func word(r *rand.Rand) string {
	letters := []rune{'a', 'Z', 0, 0x7f, 0x80, 'ü', 0x7ff, 0x800, '雪', 0xffff, 0x10000, '🧱', 0x10ffff}
	text := make([]rune, r.IntN(12))
	for i := range text {
		text[i] = letters[r.IntN(len(letters))]
	}
	return string(text)
}

// same compares trees, NaNs by their bits.
func same(t *testing.T, got, want *nbt.Compound) {
	t.Helper()
	if diff := cmp.Diff(flat(want), flat(got)); diff != "" {
		t.Errorf("the tree (-want +got):\n%s", diff)
	}
}

// flat turns a tree into values that cmp compares: order, names, types.
func flat(tag nbt.Tag) any {
	switch v := tag.(type) {
	case nbt.Float:
		return []any{"float", math.Float32bits(float32(v))}
	case nbt.Double:
		return []any{"double", math.Float64bits(float64(v))}
	case nbt.List:
		all := []any{v.Of}
		for _, item := range v.Items {
			all = append(all, flat(item))
		}
		return all
	case *nbt.Compound:
		all := []any{"compound"}
		for name, member := range v.All() {
			all = append(all, name, flat(member))
		}
		return all
	case nbt.ByteArray:
		return append(nbt.ByteArray{}, v...) // nil and empty are the same
	case nbt.IntArray:
		return append(nbt.IntArray{}, v...)
	case nbt.LongArray:
		return append(nbt.LongArray{}, v...)
	}
	return tag
}

// What is written is read as the same tree, and what was read is written as the
// same bytes: order, types, kinds of empty lists, every character.
//
// clause: W-35
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		want, name := tree(r, 4), word(r)
		data := nbt.Encode(name, want)
		gotName, got, err := nbt.Decode(data, roomy)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if gotName != name {
			t.Errorf("seed %d: the root is named %q, want %q", seed, gotName, name)
		}
		same(t, got, want)
		if again := nbt.Encode(gotName, got); !slices.Equal(again, data) {
			t.Fatalf("seed %d: written again the bytes differ", seed)
		}
	}
}

// A compound is a list of pairs: the model.
func TestCompound(t *testing.T) {
	t.Parallel()
	type pair struct {
		Name string
		Tag  nbt.Tag
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		c := &nbt.Compound{}
		var model []pair
		for step := range 300 {
			name := strconv.Itoa(r.IntN(40))
			at := slices.IndexFunc(model, func(p pair) bool { return p.Name == name })
			switch r.IntN(3) {
			case 0:
				if got := c.Delete(name); got != (at >= 0) {
					t.Fatalf("Delete(%s) = %v, want %v", name, got, at >= 0)
				}
				if at >= 0 {
					model = slices.Delete(model, at, at+1)
				}
			case 1:
				c.Set(name, nbt.Int(step))
				if at >= 0 {
					model[at].Tag = nbt.Int(step)
				} else {
					model = append(model, pair{name, nbt.Int(step)})
				}
			case 2:
				got, ok := c.Get(name)
				if ok != (at >= 0) || ok && got != model[at].Tag {
					t.Fatalf("Get(%s) = %v, %v", name, got, ok)
				}
			}
			all := model[:0:0]
			for name, tag := range c.All() {
				all = append(all, pair{name, tag})
			}
			if diff := cmp.Diff(model, all); diff != "" || c.Len() != len(model) {
				t.Fatalf("seed %d, step %d: %s", seed, step, diff)
			}
		}
	}
	c := &nbt.Compound{}
	c.Set("a", nbt.Int(1))
	if _, ok := nbt.Get[nbt.Short](c, "a"); ok {
		t.Error("an int is got as a short")
	}
	if got, ok := nbt.Get[nbt.Int](c, "a"); !ok || got != 1 {
		t.Errorf("Get[Int] = %d, %v", got, ok)
	}
}

// What no file can hold is a mistake of the caller.
func TestEncodePanics(t *testing.T) {
	t.Parallel()
	for name, tag := range map[string]nbt.Tag{
		"long string": nbt.String(make([]byte, 1<<16)),
		"zero bytes":  nbt.String(make([]byte, 1<<15)), // two bytes each
		"mixed list":  nbt.List{Of: nbt.KindInt, Items: []nbt.Tag{nbt.Int(1), nbt.Short(1)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			c := &nbt.Compound{}
			c.Set("x", tag)
			nbt.Encode("", c)
		})
	}
	c := &nbt.Compound{}
	c.Set("x", nbt.String(make([]byte, 1<<15-1))) // 65,534 bytes
	if _, _, err := nbt.Decode(nbt.Encode("", c), roomy); err != nil {
		t.Error(err)
	}
}
