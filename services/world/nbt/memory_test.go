package nbt_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// hostile are the bounds that a schematic from anywhere is read with.
var hostile = nbt.Limits{Bytes: 4 << 20, Depth: 16, Tags: 1 << 15, Alloc: 48 << 20}

// bombs are trees of up to 4 MiB that take as much as they can.
func bombs() map[string][]byte {
	rest := 4<<20 - 64
	members := func(each func(i int) string) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < rest-4200; i++ {
			b.WriteString(each(i))
		}
		return doc(b.String())
	}
	list := func(of string, n int, item string) []byte {
		return doc("\x09\x00\x01A" + of + number(uint32(n)) + strings.Repeat(item, n))
	}
	name := func(s string) string { return string(binary.BigEndian.AppendUint16(nil, uint16(len(s)))) + s }
	return map[string][]byte{
		"empty compounds":  list("\x0a", rest, "\x00"),
		"bytes in a list":  list("\x01", rest, "\x01"),
		"empty strings":    list("\x08", rest/2, "\x00\x00"),
		"empty lists":      list("\x09", rest/5, "\x00"+number(0)),
		"members":          members(func(i int) string { return "\x01" + name(fmt.Sprint(i)) + "\x01" }),
		"long names":       members(func(i int) string { return "\x01" + name(fmt.Sprintf("%0100d", i)) + "\x01" }),
		"wide names":       members(func(i int) string { return "\x01" + name(fmt.Sprintf("%d%s", i, strings.Repeat("é", 60))) + "\x01" }),
		"compounds of one": members(func(i int) string { return "\x0a" + name(fmt.Sprint(i)) + "\x01\x00\x01a\x01\x00" }),
		"bytes":            doc("\x07\x00\x01A" + number(uint32(rest)) + strings.Repeat("\x01", rest)),
		"longs":            doc("\x0c\x00\x01A" + number(uint32(rest/8)) + strings.Repeat("\x01", rest/8*8)),
		"wide strings":     members(func(i int) string { return "\x08" + name(fmt.Sprint(i)) + name(strings.Repeat("é", 2000)) }),
		"2 Gi longs":       doc("\x0c\x00\x01A" + number(1<<31-1)),
		"deep lists":       []byte("\x0a\x00\x00\x09\x00\x01A" + strings.Repeat("\x09"+number(1), 200_000)),
		"deep compounds":   []byte("\x0a\x00\x00" + strings.Repeat("\x0a\x00\x01A", 200_000)),
	}
}

// Whatever 4 MiB hold, reading them allocates at most 64 MiB, refused or not,
// and no more than was reckoned. The test is alone: the figure is the process's.
//
// clause: W-33
func TestMemory(t *testing.T) {
	for name, data := range bombs() {
		for _, l := range []nbt.Limits{hostile, {Bytes: 4 << 20, Depth: 512, Tags: 1 << 30, Alloc: 48 << 20}} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, cost, err := nbt.Measure(data, l)
			runtime.ReadMemStats(&after)
			took := int64(after.TotalAlloc - before.TotalAlloc)
			t.Logf("%-18s %8d bytes: took %8d, reckoned %8d, %v", name, len(data), took, cost.Alloc, err)
			if took > 64<<20 {
				t.Errorf("%s takes %d bytes of memory", name, took)
			}
			if took > cost.Alloc+cost.Alloc/8+256<<10 { // sizes are rounded up; the texts that are kept once
				t.Errorf("%s takes %d bytes, reckoned are %d", name, took, cost.Alloc)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	data := bombs()["members"]
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, _, err := nbt.Decode(data, roomy); err != nil {
			b.Fatal(err)
		}
	}
}
