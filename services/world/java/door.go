package java

import (
	"net"
	"slices"
	"sync"
	"time"
)

// fair is how long a connection has a place whoever else would like it. Coming in
// takes milliseconds.
const fair = time.Second

// door bounds the connections of those who are not in the world yet. Where one
// comes too many it waits, and the one that has taken longest is closed: nobody
// who is slow on purpose keeps others out.
type door struct {
	places chan struct{} // one is taken for each connection

	mu      sync.Mutex
	waiting []waiting // the longest first
}

type waiting struct {
	conn  net.Conn
	since time.Time
}

func newDoor(room int) *door { return &door{places: make(chan struct{}, room)} }

// enter takes a place for a connection as soon as there is one.
func (d *door) enter(conn net.Conn) {
	for {
		wait := time.NewTimer(d.patience())
		select {
		case d.places <- struct{}{}:
			wait.Stop()
			d.mu.Lock()
			defer d.mu.Unlock()
			d.waiting = append(d.waiting, waiting{conn, time.Now()})
			return
		case <-wait.C:
			d.turnAway()
		}
	}
}

// patience is how long the one who has waited longest may stay.
func (d *door) patience() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) == 0 {
		return fair
	}
	return max(0, time.Until(d.waiting[0].since.Add(fair)))
}

// turnAway closes the connection that has waited longest, if it had its time.
func (d *door) turnAway() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) > 0 && time.Since(d.waiting[0].since) >= fair {
		_ = d.waiting[0].conn.Close() // whoever reads from it ends
		d.waiting = d.waiting[1:]
	}
}

// leave gives the place back: the connection is closed, or its player has come in.
func (d *door) leave(conn net.Conn) {
	d.mu.Lock()
	d.waiting = slices.DeleteFunc(d.waiting, func(w waiting) bool { return w.conn == conn })
	d.mu.Unlock()
	<-d.places
}
