package main

import (
	"strings"
	"testing"
)

// TestListen: the address that a listener has counts, not the name that it was
// asked for.
//
// clause: P-09
func TestListen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address  string
		loopback bool
		refused  bool
	}{
		{"127.0.0.1:0", true, false}, {"127.0.0.1:0", false, false}, {"0.0.0.0:0", false, false},
		{"0.0.0.0:0", true, true}, {":0", true, true},
	} {
		l, err := listen("play.listen", c.address, c.loopback)
		if c.refused != (err != nil && strings.HasSuffix(err.Error(), "is not host:port on loopback")) {
			t.Errorf("%s, on loopback %v: error %v", c.address, c.loopback, err)
		}
		if err == nil {
			_ = l.Close()
		}
	}
}
