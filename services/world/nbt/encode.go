package nbt

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Encode writes a tree, byte for byte as Decode read it. It panics for what no
// file can hold, none of which Decode returns: a string of more than 65,535
// bytes, a list with an item of another kind, a nil tag.
func Encode(name string, root *Compound) []byte { return Append(nil, name, root) }

// Append is Encode that appends to out.
func Append(out []byte, name string, root *Compound) []byte {
	out = append(out, byte(KindCompound))
	out = appendString(out, name)
	return appendTag(out, root)
}

func appendTag(out []byte, tag Tag) []byte {
	switch t := tag.(type) {
	case Byte:
		return append(out, byte(t))
	case Short:
		return binary.BigEndian.AppendUint16(out, uint16(t))
	case Int:
		return binary.BigEndian.AppendUint32(out, uint32(t))
	case Long:
		return binary.BigEndian.AppendUint64(out, uint64(t))
	case Float:
		return binary.BigEndian.AppendUint32(out, math.Float32bits(float32(t)))
	case Double:
		return binary.BigEndian.AppendUint64(out, math.Float64bits(float64(t)))
	case String:
		return appendString(out, string(t))
	case ByteArray:
		return append(appendLength(out, len(t)), t...)
	case IntArray:
		out = appendLength(out, len(t))
		for _, v := range t {
			out = binary.BigEndian.AppendUint32(out, uint32(v))
		}
		return out
	case LongArray:
		out = appendLength(out, len(t))
		for _, v := range t {
			out = binary.BigEndian.AppendUint64(out, uint64(v))
		}
		return out
	case List:
		return appendList(out, t)
	case *Compound:
		for _, m := range t.members {
			out = append(out, byte(m.tag.Kind()))
			out = appendString(out, m.name)
			out = appendTag(out, m.tag)
		}
		return append(out, byte(KindEnd))
	}
	panic(fmt.Sprintf("nbt: a tag of type %T", tag))
}

func appendList(out []byte, l List) []byte {
	out = appendLength(append(out, byte(l.Of)), len(l.Items))
	for _, item := range l.Items {
		if item.Kind() != l.Of {
			panic(fmt.Sprintf("nbt: a %v in a list of %v", item.Kind(), l.Of))
		}
		out = appendTag(out, item)
	}
	return out
}

func appendLength(out []byte, n int) []byte { return binary.BigEndian.AppendUint32(out, uint32(n)) }
