package edge

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestChecksTakeTurns lets in as many answers as there is room for, the others
// once those are read, and none whose call is over.
//
// clause: E-58
func TestChecksTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dense := []byte("[" + strings.Repeat("0,", 20_000) + "0]")
		size := treeSize(dense)
		c := newChecks(2*size + size/2)
		start := time.Now()
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() {
				end, err := c.begin(t.Context(), dense)
				if err != nil {
					t.Error(err)
					return
				}
				if took := time.Since(start); took != time.Duration(i/2)*time.Second {
					t.Errorf("answer %d began after %v", i, took)
				}
				time.Sleep(time.Second)
				end()
			})
			synctest.Wait() // in this order
		}
		if end, err := c.begin(t.Context(), []byte(`{"id":"x"}`)); err != nil {
			t.Errorf("a small answer: %v", err)
		} else {
			end()
		}
		late, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		if _, err := c.begin(late, dense); err == nil || time.Since(start) != time.Second/2 {
			t.Errorf("a call that is over got in, after %v: %v", time.Since(start), err)
		}
		all.Wait()
	})
	huge := []byte("[" + strings.Repeat("0,", 100_000) + "0]")
	c := newChecks(smallTree)
	end, err := c.begin(t.Context(), huge)
	if err != nil {
		t.Fatalf("an answer larger than the whole room: %v", err)
	}
	end()
}

// TestTreeSize is near what is made of an answer, and over it.
func TestTreeSize(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int64{
		"[" + strings.Repeat("0,", 9_999) + "0]":             10_000 * sizeOfValue,
		"[" + strings.Repeat(`{"a":1},`, 9_999) + `{"a":1}]`: 20_000*sizeOfValue + 10_000*sizeOfName,
		`{"a":"` + strings.Repeat("x", 1<<20) + `"}`:         sizeOfValue + sizeOfName,
		`{"id":1}`: 0,
	} {
		if got := treeSize([]byte(body)); got < want || got > want+sizeOfValue {
			t.Errorf("%.20s: %d, want %d", body, got, want)
		}
	}
}
