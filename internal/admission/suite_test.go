package admission

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/redistest"
)

// implementations run the same tests over every Admission.
func implementations(t *testing.T, test func(t *testing.T, open func(t *testing.T, l Limits) (Admission, *clock))) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, func(_ *testing.T, l Limits) (Admission, *clock) {
			c := newClock()
			return NewMemory(l, c.now), c
		})
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		test(t, func(t *testing.T, l Limits) (Admission, *clock) {
			c := newClock()
			return openRedis(t, redistest.Start(t).URL, l, c.now), c
		})
	})
}

// patient is a time within which a server answers on any machine, however much
// else that has to do.
const patient = 30 * time.Second

func openRedis(t *testing.T, url string, l Limits, now func() time.Time) *Redis {
	t.Helper()
	r, err := newRedis(url, l, now, patient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// clock stands still until a test moves it.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.at.Store(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(0, c.at.Load()) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

// try admits one request of the key and says how that went.
func try(t *testing.T, a Admission, key string) (release func(), verdict string) {
	t.Helper()
	release, err := a.Admit(t.Context(), key)
	refused, ok := errors.AsType[*Refused](err)
	switch {
	case err == nil:
		return release, "in"
	case ok && release == nil:
		return nil, fmt.Sprintf("%s, %d s", refused.Bound, refused.Seconds())
	default:
		t.Fatalf("Admit: %v", err)
		return nil, ""
	}
}

// want fails unless the verdict on one request of the key is as expected.
func want(t *testing.T, a Admission, key, verdict string) (release func()) {
	t.Helper()
	release, got := try(t, a, key)
	if got != verdict {
		t.Errorf("%s: %s, want %s", key, got, verdict)
	}
	return release
}

// clause: E-58, P-34, P-39
func TestRateIsThatOfASlidingWindow(t *testing.T) {
	t.Parallel()
	implementations(t, func(t *testing.T, open func(*testing.T, Limits) (Admission, *clock)) {
		a, c := open(t, Limits{Rate: 3})
		for range 3 {
			want(t, a, "one", "in")()
			c.advance(10 * time.Second)
		}
		want(t, a, "one", "rate, 30 s") // 30 s after the first
		want(t, a, "two", "in")()
		c.advance(29*time.Second + 999*time.Millisecond)
		want(t, a, "one", "rate, 1 s")
		c.advance(time.Millisecond) // the first leaves the window; the refused never entered
		want(t, a, "one", "in")()
		want(t, a, "one", "rate, 10 s")
		c.advance(time.Hour)
		for range 3 {
			want(t, a, "one", "in")()
		}
		want(t, a, "one", "rate, 60 s")
	})
}

// clause: E-58
func TestNoWindowHoldsMoreThanTheRate(t *testing.T) {
	t.Parallel()
	implementations(t, func(t *testing.T, open func(*testing.T, Limits) (Admission, *clock)) {
		const rate, window = 20, 10 * time.Second
		a, c := open(t, Limits{Rate: rate, Window: window})
		random := rand.New(rand.NewPCG(1, 2))
		var times []time.Time
		for range 600 {
			c.advance(time.Duration(random.IntN(700)) * time.Millisecond)
			release, err := a.Admit(t.Context(), "one")
			refused, _ := errors.AsType[*Refused](err)
			free := time.Time{} // when the window has a place
			if n := len(times); n >= rate {
				free = times[n-rate].Add(window)
			}
			switch full := c.now().Before(free); {
			case full != (err != nil):
				t.Fatalf("at %v: %v, want refused %t", c.now(), err, full)
			case err == nil:
				release()
				times = append(times, c.now())
			case refused.After != free.Sub(c.now()):
				t.Fatalf("retry after %v, want %v", refused.After, free.Sub(c.now()))
			}
		}
	})
}

// clause: E-58
func TestPlaces(t *testing.T) {
	t.Parallel()
	implementations(t, func(t *testing.T, open func(*testing.T, Limits) (Admission, *clock)) {
		a, _ := open(t, Limits{Key: 2, All: 3})
		first := want(t, a, "one", "in")
		second := want(t, a, "one", "in")
		want(t, a, "one", "key, 1 s")
		third := want(t, a, "two", "in")
		want(t, a, "two", "all, 1 s")
		want(t, a, "three", "all, 1 s")
		first()
		first() // gives nothing back a second time
		fourth := want(t, a, "three", "in")
		want(t, a, "three", "all, 1 s")
		for _, release := range []func(){second, third, fourth} {
			release()
		}
		want(t, a, "one", "in")
		want(t, a, "one", "in")
		want(t, a, "one", "key, 1 s")
	})
}

func TestEveryBoundIsOptional(t *testing.T) {
	t.Parallel()
	implementations(t, func(t *testing.T, open func(*testing.T, Limits) (Admission, *clock)) {
		a, _ := open(t, Limits{Rate: -1})
		for range 300 {
			want(t, a, "one", "in")
		}
		want(t, a, "one", "in")()
	})
}

// clause: E-58, P-39
func TestLeasesEndWhenNobodyReleases(t *testing.T) {
	t.Parallel()
	implementations(t, func(t *testing.T, open func(*testing.T, Limits) (Admission, *clock)) {
		a, c := open(t, Limits{Key: 1, All: 2, Lease: 30 * time.Second})
		late := want(t, a, "one", "in")
		c.advance(10 * time.Second)
		want(t, a, "two", "in")
		c.advance(20*time.Second - time.Microsecond)
		want(t, a, "one", "key, 1 s")
		want(t, a, "three", "all, 1 s")
		c.advance(time.Microsecond)
		want(t, a, "one", "in")
		late() // its place is another's now
		want(t, a, "one", "key, 1 s")
		want(t, a, "three", "all, 1 s")
		c.advance(10 * time.Second)
		want(t, a, "three", "in")
	})
}

// clause: E-58
func TestManyAtOnceGetExactlyTheBounds(t *testing.T) {
	t.Parallel()
	implementations(t, func(t *testing.T, open func(*testing.T, Limits) (Admission, *clock)) {
		for name, c := range map[string]struct {
			limits Limits
			want   map[string]int
		}{
			"all":  {Limits{Key: 7, All: 8}, map[string]int{"in": 8, "all": 32}},
			"key":  {Limits{Key: 3, All: 80}, map[string]int{"in": 12, "key": 28}},
			"rate": {Limits{Rate: 5}, map[string]int{"in": 20, "rate": 20}},
		} {
			a, _ := open(t, c.limits)
			var mu sync.Mutex
			var wait sync.WaitGroup
			got, begin := map[string]int{}, make(chan struct{})
			for i := range 40 {
				wait.Go(func() {
					<-begin
					_, err := a.Admit(t.Context(), string(rune('a'+i%4)))
					mu.Lock()
					defer mu.Unlock()
					if refused, ok := errors.AsType[*Refused](err); ok {
						got[string(refused.Bound)]++
					} else if err == nil {
						got["in"]++
					} else {
						t.Error(err)
					}
				})
			}
			close(begin)
			wait.Wait()
			if name == "all" {
				// A key may reach its own bound before all do.
				got["all"] += got["key"]
				delete(got, "key")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}

func TestContextThatIsOver(t *testing.T) {
	t.Parallel()
	implementations(t, func(t *testing.T, open func(*testing.T, Limits) (Admission, *clock)) {
		a, _ := open(t, Limits{Rate: 1})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if release, err := a.Admit(ctx, "one"); release != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that the context is over", err)
		}
		want(t, a, "one", "in")() // it was not counted
	})
}

func TestSeconds(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]int{
		-time.Second: 1, 0: 1, 1: 1, time.Second: 1, time.Second + 1: 2, 90*time.Second - 1: 90,
	} {
		if got := (&Refused{After: after}).Seconds(); got != want {
			t.Errorf("%v: %d, want %d", after, got, want)
		}
	}
}
