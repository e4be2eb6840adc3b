package edge

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// TestShares takes up to the bound and not over it, and waits a little.
//
// clause: E-58
func TestShares(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &replies{limit: 100}
		if !b.take(t.Context(), 60) || !b.take(t.Context(), 40) {
			t.Fatal("there is no room for the whole")
		}
		start := time.Now()
		if b.take(t.Context(), 1) || time.Since(start) != replyWait {
			t.Errorf("one more was let in, or refused after %v", time.Since(start))
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if start = time.Now(); b.take(ended, 1) || time.Since(start) != 0 {
			t.Errorf("a call that is over waited for %v", time.Since(start))
		}
		var waiting sync.WaitGroup
		for range 4 {
			waiting.Go(func() {
				if !b.take(t.Context(), 10) {
					t.Error("a share that came back was not taken")
				}
			})
		}
		time.Sleep(replyWait / 2)
		b.give(40)
		waiting.Wait()
		if took := time.Since(start); took != replyWait/2 || b.used.Load() != 100 {
			t.Errorf("after %v %d of 100 are used", took, b.used.Load())
		}
	})
}

// TestShareOfALateReply leaves nothing taken when a reply comes after its
// request.
func TestShareOfALateReply(t *testing.T) {
	t.Parallel()
	s := &Server{gate: &Gate{}}
	s.gate.replies.limit = 1 << 20
	q := &request{}
	for _, n := range []int64{1, smallReply} {
		if !s.reserve(t.Context(), q, n) || q.share != 0 {
			t.Errorf("a reply of %d bytes took %d", n, q.share)
		}
	}
	if !s.reserve(t.Context(), q, smallReply+1) || !s.reserve(t.Context(), q, 100) || q.share != smallReply+1 {
		t.Errorf("a reply took %d", q.share)
	}
	s.settle(q)
	if !s.reserve(t.Context(), q, 1<<30) || s.gate.replies.used.Load() != 0 {
		t.Errorf("%d bytes are used by nobody", s.gate.replies.used.Load())
	}
	if q = (&request{}); !s.reserve(t.Context(), q, 1<<30) || q.share != 1<<20 {
		t.Errorf("a reply larger than all took %d", q.share)
	}
}

// TestWeight holds the estimate to what a reply takes.
func TestWeight(t *testing.T) {
	t.Parallel()
	s := &Server{}
	e := &entry{operation: &tool.Operation{ID: "getItem"}}
	for name, unit := range map[string]string{
		"plain": "x", "angles": "<>&", "quotes": `\"`, "backslashes": `\\`, "lines": "\u2028\u2029", "dashes": "–", "members": `","a":"`, "space": "\", \n\"",
	} {
		result := `["` + strings.Repeat(unit, 300_000/len(unit)) + `"]`
		o := &outcome{status: 200, result: []byte(result)}
		weight := s.weight(&request{}, o)
		c := s.render(nil, e, o)
		size := int64(2*len(result) + len(c.text) + len(c.append(nil)))
		if weight < size-500 || weight > size*4/3 {
			t.Errorf("%s: the estimate is %d, the reply takes %d", name, weight, size)
		}
	}
	for _, size := range []int{0, 10, smallReply / 16} {
		if got := s.weight(&request{}, &outcome{result: []byte(strings.Repeat("<", size))}); got != 0 {
			t.Errorf("%d bytes weigh %d", size, got)
		}
	}
	if o := (&outcome{result: []byte(`"` + strings.Repeat("<", smallReply/16) + `"`)}); s.weight(&request{}, o) == 0 {
		t.Error("a reply over the bound weighs nothing")
	}
}
