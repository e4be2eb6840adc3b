package run

import (
	"sync"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// How many streams of events there may be, in this process and of one party.
const (
	maxStreams      = 1000
	maxStreamsOfOne = 5
)

// hub wakes the streams of those to whose runs something happened.
type hub struct {
	mu      sync.Mutex
	streams map[uuid.UUID]map[*subscription]struct{}
	count   int
	over    chan struct{} // closed at the end
	closed  bool
}

// subscription is one stream's place in the hub.
type subscription struct {
	party uuid.UUID
	woken chan struct{} // something may have happened
}

func newHub() *hub {
	return &hub{streams: map[uuid.UUID]map[*subscription]struct{}{}, over: make(chan struct{})}
}

// subscribe adds a stream of a party.
func (h *hub) subscribe(party uuid.UUID) (*subscription, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch own := h.streams[party]; {
	case h.closed:
		return nil, fault.New(fault.Unavailable, "the service is stopping")
	case len(own) >= maxStreamsOfOne:
		return nil, fault.Newf(fault.TooMany, "you have %d streams of events already", len(own))
	case h.count >= maxStreams:
		return nil, fault.New(fault.Unavailable, "there are too many streams of events")
	case own == nil:
		h.streams[party] = map[*subscription]struct{}{}
	}
	s := &subscription{party, make(chan struct{}, 1)}
	h.streams[party][s] = struct{}{}
	h.count++
	return s, nil
}

// leave ends a subscription.
func (h *hub) leave(s *subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams[s.party], s)
	if len(h.streams[s.party]) == 0 {
		delete(h.streams, s.party)
	}
	h.count--
}

// wake wakes the streams of a party.
func (h *hub) wake(party uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams[party] {
		s.wake()
	}
}

// wakeAll wakes every stream.
func (h *hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, streams := range h.streams {
		for s := range streams {
			s.wake()
		}
	}
}

// close ends every stream, and those to come.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.over)
	}
}

func (s *subscription) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}
