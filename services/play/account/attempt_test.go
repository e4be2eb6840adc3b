package account

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// guess tries a login and gives how long it is told to wait, 0 if it was looked
// at.
func guess(t *testing.T, s *Service, username, address string) time.Duration {
	t.Helper()
	_, _, err := s.Login(t.Context(), username, "a wrong password", address)
	f, ok := errors.AsType[*fault.Fault](err)
	if !ok || (f.Code != fault.TooMany) != (f.RetryAfter == 0) || f.Code != fault.TooMany && f.Code != fault.Unauthenticated {
		t.Fatalf("a guess: %v", err)
	}
	return f.RetryAfter
}

// clause: P-47
func TestAttemptsOfUsername(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.person("mira")
	processes := []*Service{l.Service, l.again()}
	for i := range LoginsOfUsername {
		if wait := guess(t, processes[i%2], "mira", fmt.Sprint("192.0.2.", i)); wait != 0 {
			t.Fatalf("attempt %d is refused for %s", i+1, wait)
		}
		l.advance(time.Second)
	}
	before := l.passwords.Done()
	for _, c := range []struct {
		advance, wait time.Duration
	}{
		{0, 50 * time.Second},
		{0, 50 * time.Second}, // what is refused does not count
		{49 * time.Second, time.Second},
		{time.Second - time.Microsecond, time.Microsecond},
		{time.Microsecond, 0}, // the moment that was told
		{0, time.Second},      // the next place is free a second later
		{time.Second - time.Microsecond, time.Microsecond},
		{time.Microsecond, 0},
	} {
		l.advance(c.advance)
		if wait := guess(t, l.again(), "mira", "198.51.100.1"); wait != c.wait {
			t.Errorf("%s after the first: wait %s, want %s", l.clock().Sub(start), wait, c.wait)
		}
	}
	if hashed := l.passwords.Done() - before; hashed != 0 {
		t.Errorf("%d passwords hashed for what was refused, want none", hashed)
	}
	// The right password waits like any other, and other people do not.
	_, _, err := l.Login(t.Context(), "mira", secretWord, "198.51.100.2")
	want(t, "the right password", err, fault.TooMany)
	if wait := guess(t, l.Service, "noa", "198.51.100.1"); wait != 0 {
		t.Errorf("somebody else waits %s", wait)
	}
}

// clause: P-47
func TestAttemptsFromAddress(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.person("mira")
	for i := range LoginsOfAddress {
		if wait := guess(t, l.Service, fmt.Sprintf("user%d", i/5), "2001:db8::1"); wait != 0 {
			t.Fatalf("attempt %d is refused for %s", i+1, wait)
		}
		if i == 0 {
			l.advance(time.Second)
		}
	}
	for address, waits := range map[string]time.Duration{
		"2001:db8::1":       59 * time.Second,
		"2001:db8::ffff":    59 * time.Second, // the same network
		"2001:db8::2%eth0":  59 * time.Second,
		"2001:db8:0:1::1":   0,
		"192.0.2.1":         0,
		"what is no adress": 0,
	} {
		if wait := guess(t, l.Service, "mira", address); wait != waits {
			t.Errorf("from %s: wait %s, want %s", address, wait, waits)
		}
	}
	l.advance(59*time.Second - time.Microsecond)
	if wait := guess(t, l.Service, "noa", "2001:db8::1"); wait != time.Microsecond {
		t.Errorf("just before: wait %s, want 1µs", wait)
	}
	l.advance(time.Microsecond)
	if wait := guess(t, l.Service, "noa", "2001:db8::1"); wait != 0 {
		t.Errorf("at the moment: wait %s, want none", wait)
	}
}

// Over both bounds, the later of the two moments is told.
//
// clause: P-47
func TestAttemptsOverBoth(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"the username is full first": "username", "the address is full first": "address"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			fill := func(n int, attempt func(i int) error) {
				for i := range n {
					if err := attempt(i); err != nil {
						t.Fatal(err)
					}
				}
			}
			username := func() {
				fill(LoginsOfUsername, func(i int) error { return l.attempt(t.Context(), "mira", fmt.Sprint("192.0.2.", i)) })
			}
			address := func() {
				fill(LoginsOfAddress, func(i int) error { return l.attempt(t.Context(), fmt.Sprint("user", i), "198.51.100.1") })
			}
			steps := []func(){username, address}
			if first == "address" {
				slices.Reverse(steps)
			}
			steps[0]()
			l.advance(10 * time.Second)
			steps[1]()
			if wait := guess(t, l.Service, "mira", "198.51.100.1"); wait != LoginWindow {
				t.Errorf("wait %s, want %s", wait, LoginWindow)
			}
		})
	}
}

// Of many at once in several processes, as many as the bound are let in.
//
// clause: P-47
func TestAttemptsAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	processes := []*Service{l.Service, l.again(), l.again()}
	var in atomic.Int64
	var all sync.WaitGroup
	for i := range 3 * LoginsOfUsername {
		all.Go(func() {
			err := processes[i%3].attempt(t.Context(), "mira", fmt.Sprint("192.0.2.", i%4))
			if err == nil {
				in.Add(1)
			} else if fault.CodeOf(err) != fault.TooMany {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if in.Load() != LoginsOfUsername {
		t.Errorf("%d are let in, want %d", in.Load(), LoginsOfUsername)
	}
	if n := l.count("SELECT count(*) FROM play.login_attempt"); n != 2*LoginsOfUsername {
		t.Errorf("%d rows, want %d", n, 2*LoginsOfUsername)
	}
}

// What counts no more is forgotten, and what people typed was never kept.
func TestAttemptsAreForgotten(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for i := range 70 {
		guess(t, l.Service, fmt.Sprint("user", i), fmt.Sprint("192.0.2.", i))
	}
	l.advance(LoginWindow)
	for i, left := range []int{42, 2 + 2} {
		guess(t, l.Service, "mira", "198.51.100.1")
		if n := l.count("SELECT count(*) FROM play.login_attempt"); n != left {
			t.Errorf("after %d: %d rows, want %d", i+1, n, left)
		}
	}
}

// A process looks at so many logins at a time.
func TestLoginsAtATime(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var releases []func()
	for range loginsAtATime {
		release, err := l.logins.Admit(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, release)
	}
	if wait := guess(t, l.Service, "mira", "192.0.2.1"); wait != time.Second {
		t.Errorf("one more: wait %s, want 1s", wait)
	}
	releases[0]()
	if wait := guess(t, l.Service, "mira", "192.0.2.1"); wait != 0 {
		t.Errorf("in a place that was left: wait %s, want none", wait)
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	var got []string
	for _, address := range []string{"192.0.2.1", "::ffff:192.0.2.1", "2001:db8:1:2:3::4", "fe80::1%eth0", "@"} {
		got = append(got, network(address))
	}
	wanted := []string{"192.0.2.1", "192.0.2.1", "2001:db8:1:2::/64", "fe80::/64", "@"}
	if !slices.Equal(got, wanted) {
		t.Error(cmp.Diff(wanted, got))
	}
}
