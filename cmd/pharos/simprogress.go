package main

import (
	"fmt"
	"io"
	"os"
)

// progress tells on a terminal how far long work is, and nothing anywhere else.
type progress struct {
	w    io.Writer // nil where nobody looks
	done int
	all  int
}

func newProgress(w io.Writer, all int) *progress {
	p := &progress{all: all}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.w = w
		}
	}
	return p
}

// step tells of one more that is done.
func (p *progress) step(what string) {
	p.done++
	if p.w != nil {
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%d of %d: %s", p.done, p.all, what)
	}
}

// end takes away what was told.
func (p *progress) end() {
	if p.w != nil {
		_, _ = io.WriteString(p.w, "\r\x1b[K")
	}
}
