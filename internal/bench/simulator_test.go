package main

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/city/generate"
)

// The observations that the game's are compared with are the same.
func TestObserveUsually(t *testing.T) {
	t.Parallel()
	m, err := generate.Large()
	if err != nil {
		t.Fatal(err)
	}
	p, err := measureEpisodes(m, 7)
	if err != nil {
		t.Fatal(err)
	}
	if p.ticks < 1000 || p.engine <= 0 || p.naive <= 0 {
		t.Errorf("%+v", p)
	}
	if _, err := observeUsually(m, [][]byte{[]byte(`{"contacts":1}`)}); err == nil {
		t.Error("an observation that is none")
	}
	if sameJSON([]byte(`{"a":[1,2]}`), []byte(`{"a":[2,1]}`)) == nil {
		t.Error("two lists are the same")
	}
}
