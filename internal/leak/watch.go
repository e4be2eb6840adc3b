package leak

import (
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
)

// found is what was found so far, in the order of finding.
var found struct {
	sync.Mutex
	places []string
}

// Report says that a place holds secrets of some kinds, which fails the run.
func Report(place string, kinds []string) {
	found.Lock()
	defer found.Unlock()
	for _, kind := range kinds {
		found.places = append(found.places, fmt.Sprintf("leak: %s holds a %s", place, kind))
	}
}

// overlap is how much of what was written is looked at again with what comes
// next, so that no secret hides between two writes.
const overlap = 8 << 10

// Watch gives a writer that passes everything on and reports the secrets in it
// by the name of the place. Its writers may write at once.
func Watch(place string, next io.Writer) io.Writer { return &watched{place: place, next: next} }

type watched struct {
	place string

	mu   sync.Mutex
	next io.Writer
	tail []byte
}

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tail = append(w.tail, p...)
	if kinds := Kinds(string(w.tail)); len(kinds) > 0 {
		Report(w.place, kinds)
		w.tail = nil // once is enough
	}
	if len(w.tail) > overlap {
		w.tail = append([]byte(nil), w.tail[len(w.tail)-overlap:]...)
	}
	return w.next.Write(p)
}

// Main runs the tests of a package, reads what they print, and gives the code
// to exit with: that of the tests, or 1 where a secret was found.
func Main(m *testing.M) int {
	stop := make([]func(), 0, 2)
	for name, file := range map[string]**os.File{"standard output": &os.Stdout, "standard error": &os.Stderr} {
		stop = append(stop, read(name, file))
	}
	code := m.Run()
	for _, end := range stop {
		end()
	}
	found.Lock()
	defer found.Unlock()
	for _, place := range found.places {
		fmt.Fprintln(os.Stderr, place)
	}
	if len(found.places) > 0 && code == 0 {
		return 1
	}
	return code
}

// read puts a pipe in the place of a file, and gives what puts it back.
func read(name string, file **os.File) (end func()) {
	to := *file
	from, pipe, err := os.Pipe()
	if err != nil {
		Report(name+", which could not be read ("+err.Error()+"),", []string{"secret perhaps"})
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(Watch(name, to), from)
	}()
	*file = pipe
	return func() {
		*file = to
		_ = pipe.Close()
		<-done
	}
}
