package main

import (
	"bytes"
	"testing"
)

// Progress is told on a terminal alone, and taken away again.
func TestProgress(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	p := newProgress(&b, 2)
	p.step("nobody looks")
	p.end()
	if b.Len() > 0 {
		t.Errorf("told to what is no terminal: %q", b.String())
	}
	p = &progress{w: &b, all: 2}
	p.step("one")
	p.step("two")
	p.end()
	const want = "\r\x1b[K1 of 2: one\r\x1b[K2 of 2: two\r\x1b[K"
	if got := b.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
