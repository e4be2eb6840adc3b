package admission

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/pharos-mcp/pharos/internal/redistest"
)

// eventually asks until the answer is yes.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(10 * time.Second); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 10 s", what)
		}
	}
}

// admits reports whether the key gets a place, which it gives back at once.
func admits(t *testing.T, a Admission, key string) bool {
	t.Helper()
	release, err := a.Admit(t.Context(), key)
	if err == nil {
		release()
	} else if _, ok := errors.AsType[*Refused](err); !ok {
		t.Fatal(err)
	}
	return err == nil
}

// clause: E-58
func TestRedisByItsOwnClock(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	// Two processes whose clocks are of no account share every bound.
	l := Limits{Rate: 2, Window: 3 * time.Second, All: 2, Lease: 3 * time.Second}
	a, b := openRedis(t, server.URL, l, nil), openRedis(t, server.URL, l, nil)
	begin := time.Now()
	want(t, a, "one", "in")()
	want(t, b, "one", "in")()
	for _, r := range []*Redis{a, b} {
		if _, got := try(t, r, "one"); !strings.HasPrefix(got, "rate, ") {
			t.Errorf("a third: %s, want a refusal for the rate", got)
		}
	}
	eventually(t, "the window slides", func() bool { return admits(t, b, "one") })
	if took := time.Since(begin); took < l.Window {
		t.Errorf("admitted after %v, within the window", took)
	}
	begin = time.Now()
	want(t, a, "two", "in")
	want(t, b, "three", "in")
	want(t, a, "four", "all, 1 s")
	eventually(t, "leases end", func() bool { return admits(t, b, "four") })
	if took := time.Since(begin); took < l.Lease {
		t.Errorf("admitted after %v, within the lease", took)
	}
}

func TestRedisKeepsNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	a := openRedis(t, server.URL, Limits{Rate: 5, Window: time.Minute, Key: 5, All: 5, Lease: time.Minute}, nil)
	long := strings.Repeat("a caller with a long name ", 1000)
	want(t, a, long, "in")
	keys, err := a.client.Keys(t.Context(), "*").Result()
	if err != nil || len(keys) != 3 {
		t.Fatalf("keys %q, %v; want 3", keys, err)
	}
	for _, key := range keys {
		life, err := a.client.PTTL(t.Context(), key).Result()
		if err != nil || life <= 0 || life > time.Minute+time.Second || len(key) > 100 {
			t.Errorf("%q lives %v, %v", key, life, err)
		}
	}
}

// clause: E-58
func TestRedisOutage(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	a := openRedis(t, server.URL, Limits{Key: 1}, nil)
	outage := func(what string, a Admission) {
		t.Helper()
		begin := time.Now()
		release, err := a.Admit(t.Context(), "one")
		if _, ok := errors.AsType[*Outage](err); !ok || release != nil {
			t.Errorf("%s: got %v, want an outage", what, err)
		}
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s: it took %v to say so", what, took)
		}
	}
	release := want(t, a, "one", "in")
	if err := a.Check(t.Context()); err != nil {
		t.Errorf("a server that is there: %v", err)
	}
	server.Stop()
	if err := a.Check(t.Context()); err == nil {
		t.Error("a server that is gone is said to be there")
	}
	outage("a server that is gone", a)
	release() // does not hang, and does not fail
	server.Restart(t)
	want(t, a, "one", "in")() // at once
	if err := a.client.Set(t.Context(), keysOf("one")[1], "text", 0).Err(); err != nil {
		t.Fatal(err)
	}
	outage("a server with other contents", a)
	for what, url := range map[string]string{"a server that never answers": silent(t), "no server": "redis://127.0.0.1:1/0"} {
		a, err := NewRedis(url, Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		outage(what, a)
		_ = a.Close()
	}
}

// silent is the URL of a server that takes connections and says nothing.
func silent(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return "redis://" + l.Addr().String()
}

func TestRedisHonoursContexts(t *testing.T) {
	t.Parallel()
	a := openRedis(t, silent(t), Limits{}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := a.Admit(ctx, "one"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that the deadline is over", err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// clause: E-58
func TestRedisTakesBackWhatNobodyWaitedFor(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	a := openRedis(t, server.URL, Limits{Rate: 2, Key: 1}, nil)
	if !admits(t, a, "one") { // the script is known to the server, a connection is open
		t.Fatal("not admitted")
	}
	if err := a.client.Do(t.Context(), "CLIENT", "PAUSE", "150").Err(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := a.Admit(ctx, "one"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want that the deadline is over", err)
	}
	observer := redis.NewClient(a.client.Options())
	defer func() { _ = observer.Close() }()
	eventually(t, "the place and the count are taken back", func() bool {
		begun, err := observer.ZCard(t.Context(), keysOf("one")[0]).Result()
		places, err2 := observer.ZCard(t.Context(), keysOf("one")[2]).Result()
		return err == nil && err2 == nil && begun == 1 && places == 0
	})
}

func TestRedisURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "localhost:6379", "http://:secret@localhost", "redis://:secret@host:port", "redis://h/x"} {
		if _, err := NewRedis(url, Limits{}, nil); !errors.Is(err, ErrURL) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func BenchmarkRedis(b *testing.B) {
	a, err := NewRedis(redistest.Start(b).URL, Limits{Rate: 1 << 20, Key: 32, All: 256}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	b.ReportAllocs()
	for b.Loop() {
		release, err := a.Admit(b.Context(), "one")
		if err != nil {
			b.Fatal(err)
		}
		release()
	}
}
