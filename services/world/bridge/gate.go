package bridge

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/coder/acp-go-sdk"
)

// The bounds of what an agent writes.
const (
	longest = 1 << 20  // bytes of a message; a longer one is not for us, such as a picture
	most    = 32 << 20 // bytes from one question to the next
	skipped = 16       // bytes of what is too long that count as one
	longID  = 256      // bytes of a request's id
	updates = 256      // that wait to be heard
	asks    = 16       // requests that wait for their answer
)

// gate lets the messages of an agent through that mean something here, as fast as
// they are dealt with, and drops everything else: what is no message, is too long
// or was not asked for. It ends the connection with an agent that never stops.
type gate struct {
	from  *bufio.Reader
	open  chan struct{} // closed when the connection is ready for them
	ended <-chan struct{}
	log   *slog.Logger

	updates, asks chan struct{} // one token for each under way
	left          atomic.Int64  // bytes
	much          atomic.Bool   // whether it said too much
	rest          []byte        // of the line that is let through
	dropped       int
}

func newGate(from io.Reader, ended <-chan struct{}, log *slog.Logger) *gate {
	g := &gate{
		from: bufio.NewReaderSize(from, longest), open: make(chan struct{}), ended: ended, log: log,
		updates: make(chan struct{}, updates), asks: make(chan struct{}, asks),
	}
	g.refill()
	return g
}

// refill lets the agent say as much again.
func (g *gate) refill() { g.left.Store(most) }

// Read implements io.Reader.
func (g *gate) Read(p []byte) (int, error) {
	<-g.open
	for len(g.rest) == 0 {
		line, err := g.line()
		if !g.pay(len(line)) {
			g.much.Store(true)
			return 0, errMuch
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			g.drop()
			continue
		case len(line) == 0 && err != nil:
			return 0, err
		case !g.admit(line):
			g.drop()
			continue
		}
		g.rest = line
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// line reads a line, whose end may be missing at the end of all. Of one that is
// too long it returns a part, until the last, with bufio.ErrBufferFull.
func (g *gate) line() ([]byte, error) {
	line, err := g.from.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	for errors.Is(err, bufio.ErrBufferFull) && g.pay(len(line)/skipped) {
		line, err = g.from.ReadSlice('\n')
	}
	return line[:len(line)/skipped], bufio.ErrBufferFull
}

// pay takes bytes from those that are left, and reports whether there were enough.
func (g *gate) pay(n int) bool { return g.left.Add(-int64(n)) >= 0 }

func (g *gate) drop() {
	if g.dropped++; g.dropped == 1 {
		g.log.Warn("bridge: the agent writes what is no message to its standard output, or too long; it is dropped")
	}
}

// admit reports whether a line is let through, once there is room for it.
func (g *gate) admit(line []byte) bool {
	var m struct {
		ID     *json.RawMessage `json:"id"`
		Method string           `json:"method"`
	}
	if json.Unmarshal(line, &m) != nil {
		return false
	}
	switch {
	case m.ID == nil:
		return m.Method == acp.ClientMethodSessionUpdate && g.enter(g.updates)
	case m.Method != "":
		return len(*m.ID) <= longID && g.enter(g.asks)
	default:
		return true
	}
}

// hush waits until all that an agent said before it ended is heard, for as long as
// most. Nothing more passes afterwards.
func (g *gate) hush(most time.Duration) {
	late := time.After(most)
	for range cap(g.updates) { // each token that is free is an update that is not under way
		select {
		case g.updates <- struct{}{}:
		case <-late:
			return
		}
	}
}

// enter waits for room.
func (g *gate) enter(room chan<- struct{}) bool {
	select {
	case room <- struct{}{}:
		return true
	case <-g.ended:
		return false
	}
}
