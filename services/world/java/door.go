package java

import (
	"net"
	"slices"
	"sync"
)

// door bounds the connections of those who are not in the world yet. Coming in
// takes milliseconds, so where one comes too many, the one that has taken longest
// is closed: nobody who is slow on purpose keeps others out.
type door struct {
	places chan struct{} // one is taken for each connection

	mu      sync.Mutex
	waiting []net.Conn // the longest first
}

func newDoor(room int) *door { return &door{places: make(chan struct{}, room)} }

// enter takes a place for a connection. It waits for at most as long as a closed
// connection takes to be noticed.
func (d *door) enter(conn net.Conn) {
	select {
	case d.places <- struct{}{}:
	default:
		d.turnAway()
		d.places <- struct{}{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = append(d.waiting, conn)
}

// turnAway closes the connection that has waited longest.
func (d *door) turnAway() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) > 0 {
		_ = d.waiting[0].Close() // whoever reads from it ends
		d.waiting = d.waiting[1:]
	}
}

// leave gives the place back: the connection is closed, or its player has come in.
func (d *door) leave(conn net.Conn) {
	d.mu.Lock()
	d.waiting = slices.DeleteFunc(d.waiting, func(c net.Conn) bool { return c == conn })
	d.mu.Unlock()
	<-d.places
}
