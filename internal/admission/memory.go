package admission

import (
	"context"
	"slices"
	"sync"
	"time"
)

// What a Memory remembers at most: keys, and times of admission of all keys
// together, 8 bytes each.
const (
	mostKeys  = 1 << 16
	mostTimes = 1 << 20
)

// Memory holds the bounds of one process. What it remembers is bounded: when
// there are too many keys, or too many admissions in the window, it refuses.
type Memory struct {
	limits Limits
	now    func() time.Time
	start  time.Time // times are kept as distances from it

	mu      sync.Mutex
	callers map[string]*caller
	leases  map[*lease]struct{}
	ends    time.Duration // no lease ends before
	times   int           // of all callers
	swept   time.Duration
	keys    int // bound on callers
	entries int // bound on times
}

// caller is what is known of one key.
type caller struct {
	active int
	times  []time.Duration // admissions within the window, oldest first
}

// lease is the place of one request.
type lease struct {
	key  string
	ends time.Duration
}

// NewMemory makes an admission for this process. The clock is time.Now if it is
// nil.
func NewMemory(l Limits, now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{
		limits: l.withDefaults(), now: now, start: now(),
		callers: map[string]*caller{}, leases: map[*lease]struct{}{}, keys: mostKeys, entries: mostTimes,
	}
}

// Admit implements Admission.
func (m *Memory) Admit(ctx context.Context, key string) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now().Sub(m.start)
	m.sweep(now, m.limits.Window/4)
	if refused := m.over(m.callers[key], now); refused != nil {
		return nil, refused
	}
	c := m.callers[key] // not before: to look for a place may forget a caller
	if c == nil {
		c = &caller{}
		m.callers[key] = c
	}
	if m.limits.Rate > 0 {
		c.times = append(c.times, now)
		m.times++
	}
	c.active++
	l := &lease{key, now + m.limits.Lease}
	m.leases[l] = struct{}{}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.drop(l)
	}, nil
}

// over names the bound that one more request of a caller would exceed. The
// caller is nil if nothing is known of it.
func (m *Memory) over(c *caller, now time.Duration) *Refused {
	if c != nil {
		m.trim(c, now)
		if n := len(c.times); m.limits.Rate > 0 && n >= m.limits.Rate {
			return &Refused{Rate, c.times[n-m.limits.Rate] + m.limits.Window - now}
		}
		if m.limits.Key > 0 && c.active >= m.limits.Key {
			if m.expire(now); c.active >= m.limits.Key {
				return &Refused{Key, soon}
			}
		}
	}
	if m.limits.All > 0 && len(m.leases) >= m.limits.All {
		if m.expire(now); len(m.leases) >= m.limits.All {
			return &Refused{All, soon}
		}
	}
	full := func() bool { return c == nil && len(m.callers) >= m.keys || m.times >= m.entries }
	if full() {
		m.sweep(now, m.limits.Window/64)
		if full() {
			return &Refused{Room, m.limits.Window / 64}
		}
	}
	return nil
}

// trim forgets a caller's admissions that have left the window.
func (m *Memory) trim(c *caller, now time.Duration) {
	n := 0
	for n < len(c.times) && c.times[n]+m.limits.Window <= now {
		n++
	}
	m.times -= n
	if c.times = c.times[n:]; len(c.times) == 0 {
		c.times = nil // with its array, of which only the end was still in use
	}
}

// expire takes back the places whose time is over.
func (m *Memory) expire(now time.Duration) {
	if now < m.ends {
		return
	}
	m.ends = now + m.limits.Lease
	for l := range m.leases {
		if l.ends <= now {
			m.drop(l)
		} else {
			m.ends = min(m.ends, l.ends)
		}
	}
}

// drop takes back one place, if it is still held.
func (m *Memory) drop(l *lease) {
	if _, held := m.leases[l]; !held {
		return
	}
	delete(m.leases, l)
	c := m.callers[l.key]
	if c.active--; c.active == 0 && len(c.times) == 0 {
		delete(m.callers, l.key)
	}
}

// sweep forgets the callers of whom there is nothing left to remember. It looks
// at all of them, and therefore not again before the pause is over.
func (m *Memory) sweep(now, pause time.Duration) {
	if now < m.swept+pause {
		return
	}
	m.swept = now
	m.expire(now)
	for key, c := range m.callers {
		if m.trim(c, now); c.active == 0 && len(c.times) == 0 {
			delete(m.callers, key)
		} else {
			c.times = slices.Clip(c.times)
		}
	}
}
