package tool

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
)

// clause: E-18
func TestQuiet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(c *quietConn, cancel func())
		want bool
	}{
		"its reader waits":  {func(c *quietConn, _ func()) { _, _ = c.Read(make([]byte, 1)) }, true},
		"it is closed":      {func(c *quietConn, _ func()) { _ = c.Close() }, false},
		"the call is over":  {func(_ *quietConn, cancel func()) { cancel() }, true},
		"it is read before": {func(c *quietConn, _ func()) { _ = c.Close() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				q := &quietConn{Conn: ours}
				if name == "it is read before" {
					go func() { _, _ = theirs.Write([]byte("x")) }()
					_, _ = q.Read(make([]byte, 1)) // and returns
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				got := make(chan bool, 1)
				go func() { got <- q.quiet(ctx) }()
				synctest.Wait()
				if len(got) > 0 {
					t.Fatal("it counts as quiet although nobody reads it")
				}
				go c.end(q, cancel)
				if got := <-got; got != c.want {
					t.Errorf("it can be used: %v, want %v", got, c.want)
				}
				_ = theirs.Close()
				_ = ours.Close()
			})
		})
	}
}
