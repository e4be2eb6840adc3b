package schem_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// seeds calls f with every vector that is not huge.
func seeds(f *testing.F, add func([]byte)) {
	f.Helper()
	for _, folder := range []string{"pos", "neg"} {
		files, err := os.ReadDir("testdata/" + folder)
		if err != nil {
			f.Fatal(err)
		}
		for _, entry := range files {
			if file := read(f, folder, entry.Name()); len(file) < 10_000 {
				add(file)
			}
		}
	}
}

// holds checks what must hold of any input: a refusal has a code of this
// package, the memory is bounded, and what is read can be written, read again and
// placed.
func holds(t *testing.T, file []byte) {
	t.Helper()
	o := schem.Options{Policy: building, StructureVoid: true}
	p := pack(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := schem.Decode(file, p, o)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > schem.MaxAlloc {
		t.Fatalf("it took %d bytes of memory", taken)
	}
	if err != nil {
		if _, ok := err.(*fault.Fault); !ok {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	again, err := schem.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	same, err := schem.Decode(again, pack(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shapeOf(s), shapeOf(same)); diff != "" {
		t.Fatalf("it changed (-want +got):\n%s", diff)
	}
	s.Offset = geom.Pos{}
	for _, rotation := range []int{0, 90, 180, 270} {
		if _, err := s.Place(geom.Pos{}, rotation, pack(t)); err != nil {
			t.Fatal(err)
		}
	}
}

// clause: W-33
func FuzzDecode(f *testing.F) {
	seeds(f, func(file []byte) { f.Add(file) })
	f.Fuzz(func(t *testing.T, file []byte) { holds(t, file) })
}

// FuzzContent is behind the gzip, which random changes seldom get through.
//
// clause: W-33
func FuzzContent(f *testing.F) {
	seeds(f, func(file []byte) {
		r, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			return
		}
		if data, err := io.ReadAll(io.LimitReader(r, 20_000)); err == nil {
			f.Add(data)
		}
	})
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, zip(t, data)) })
}
