// Package desk takes orders for pictures: one is made at a time, and who ordered
// it comes back for it (W-50, W-51).
package desk

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
)

// The bounds of a desk.
const (
	Waiting = 8                // orders that are not begun
	Kept    = 16               // pictures that nobody has fetched
	Life    = 2 * time.Minute  // of a picture
	Time    = 30 * time.Second // that one may take
)

// Job makes one picture. It ends when ctx does.
type Job func(ctx context.Context) (worker.Frame, error)

// Desk is one world's. It is safe for concurrent use.
type Desk struct {
	now   func() time.Time
	limit time.Duration

	mu      sync.Mutex
	orders  []*order // in the order of asking, done or not
	wake    chan struct{}
	stopped bool
}

// order is one picture.
type order struct {
	id      string
	project string
	job     Job
	begun   bool
	done    bool
	ended   time.Time
	frame   worker.Frame
	err     error
}

// New makes a desk, on which Run works.
func New() *Desk { return &Desk{now: time.Now, limit: Time, wake: make(chan struct{}, 1)} }

// Run makes pictures until ctx ends.
func (d *Desk) Run(ctx context.Context) {
	defer d.stop()
	for {
		o := d.next()
		if o == nil {
			select {
			case <-ctx.Done():
				return
			case <-d.wake:
			}
			continue
		}
		own, cancel := context.WithTimeout(ctx, d.limit)
		frame, err := o.job(own)
		if err != nil && own.Err() != nil {
			err = fault.Newf(worker.NotReady, "the picture was not made within %v; ask again, or for fewer pixels", d.limit)
		}
		cancel()
		d.mu.Lock()
		o.done, o.frame, o.err, o.ended, o.job = true, frame, err, d.now(), nil
		d.mu.Unlock()
	}
}

func (d *Desk) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
}

func (d *Desk) next() *order {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.orders {
		if !o.begun {
			o.begun = true
			return o
		}
	}
	return nil
}

// Order asks for a picture, and returns what to come back with.
func (d *Desk) Order(project string, job Job) (id string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return "", fault.New(worker.Unavailable, "the world closes")
	}
	d.clear()
	waiting := 0
	for _, o := range d.orders {
		if !o.begun {
			waiting++
		}
	}
	if waiting >= Waiting {
		return "", fault.Newf("busy", "%d pictures are waiting already; ask again in some seconds", waiting)
	}
	o := &order{id: uuid.NewString(), project: project, job: job}
	d.orders = append(d.orders, o)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return o.id, nil
}

// clear forgets pictures that are too old, and the oldest of too many.
func (d *Desk) clear() {
	old := d.now().Add(-Life)
	d.orders = slices.DeleteFunc(d.orders, func(o *order) bool { return o.done && o.ended.Before(old) })
	for done := d.done(); done >= Kept; done-- {
		i := slices.IndexFunc(d.orders, func(o *order) bool { return o.done })
		d.orders = slices.Delete(d.orders, i, i+1)
	}
}

func (d *Desk) done() (n int) {
	for _, o := range d.orders {
		if o.done {
			n++
		}
	}
	return n
}

// Fetch returns a picture once it is there, or why there will be none; until
// then done is false. It may be fetched again for as long as it is kept.
func (d *Desk) Fetch(project, id string) (f worker.Frame, done bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	for _, o := range d.orders {
		if o.id == id && o.project == project {
			return o.frame, o.done, o.err
		}
	}
	return f, false, fault.Newf(fault.NotFound, "there is no such capture: it is kept for %v; ask for another", Life)
}
