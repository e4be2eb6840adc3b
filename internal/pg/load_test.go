package pg_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestComingAndGoing stops, kills and starts a server while clients write.
// Each repeats a write that was refused until it is not, and in the end every
// write is there once.
func TestComingAndGoing(t *testing.T) {
	t.Parallel()
	const clients = 8
	s := pgtest.Server(t)
	pool := pgtest.Pool(t, s.URL)
	ledger(t, pool)
	var (
		over             = make(chan struct{})
		written, refused atomic.Int64
		all              sync.WaitGroup
	)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for client := range clients {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				default:
				}
				key := fmt.Sprintf("%d of client %d", n, client)
				for {
					err := pg.Write(ctx, pool, record(key))
					if err == nil {
						written.Add(1)
						break
					}
					if f := fault.From(err); f.Code != fault.Unavailable || f.RetryAfter <= 0 || ctx.Err() != nil {
						t.Errorf("%s: %v", key, err)
						return
					}
					refused.Add(1)
					time.Sleep(time.Millisecond) // the client's own patience, shortened
				}
			}
		})
	}
	more := func() { // waits for writes
		for want := written.Load() + 100; written.Load() < want && ctx.Err() == nil; {
			time.Sleep(time.Millisecond)
		}
	}
	for range 3 {
		for _, end := range []func(){s.Stop, s.Kill} {
			more()
			end()
			for was := refused.Load(); refused.Load() == was && ctx.Err() == nil; {
				time.Sleep(time.Millisecond)
			}
			s.Start(t)
		}
	}
	more()
	close(over)
	all.Wait()
	if n := events(t, pool); int64(n) != written.Load() {
		t.Errorf("%d events of %d writes", n, written.Load())
	}
	t.Logf("%d writes, %d refused", written.Load(), refused.Load())
}
