package operation_test

import (
	"fmt"
	"slices"
	"sync"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// model is what must be so, found out from what the host tells, what is durable,
// and what the test does: who wrote which block last, and what stands there.
type model struct {
	mu      sync.Mutex
	content map[geom.Pos]string
	writer  map[geom.Pos]*work // the last operation that wrote there, or may have
	foreign map[geom.Pos]bool  // somebody else changed it after that, in this process
	active  *work
	paused  bool
	wrong   []string // what must not have happened
}

// work is an operation in the model.
type work struct {
	id        uuid.UUID
	key       string
	plan      journal.Plan
	undoes    *work
	status    journal.Status
	open      []int // the durable intent that is not confirmed
	written   places
	confirmed places
	bad       places // was not as planned at some time since it began
	depended  bool   // a dependency was not
	abandoned bool
}

// places are some of a plan's changes.
type places map[int]bool

func newModel() *model {
	m := &model{content: map[geom.Pos]string{}, writer: map[geom.Pos]*work{}, foreign: map[geom.Pos]bool{}}
	for x := range universe {
		m.content[at(x)] = air
	}
	return m
}

func (m *model) fail(format string, args ...any) {
	m.wrong = append(m.wrong, fmt.Sprintf(format, args...))
}

// owns tells that an operation may take back what it wrote at p.
func (m *model) owns(w *work, p geom.Pos) bool {
	return !w.abandoned && m.writer[p] == w && !m.foreign[p]
}

// OnBlocks hears of every change: those of operations are held against all rules.
func (m *model) OnBlocks(all []host.Change) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range all {
		if c.Before != m.content[c.Pos] {
			m.fail("%s was %s, not %s", c.Pos, m.content[c.Pos], c.Before)
		}
		if c.Cause.Kind == host.ByOperation {
			m.write(c)
		} else {
			m.foreign[c.Pos] = true
		}
		m.content[c.Pos] = c.After
	}
}

func (m *model) OnChat(host.Player, string) {}
func (m *model) OnJoin(host.Player)         {}
func (m *model) OnQuit(host.Player)         {}

// write is one block of an operation (I2, I3, I4, and no second application).
func (m *model) write(c host.Change) {
	w := m.active
	if w == nil || w.id != c.Cause.Operation || w.status != journal.Applying {
		m.fail("%s was written by what is not active", c.Pos)
		return
	}
	i := slices.IndexFunc(w.plan.Changes, func(p journal.Change) bool { return p.Pos == c.Pos })
	switch {
	case i < 0 || w.plan.Changes[i].Before != c.Before || w.plan.Changes[i].After != c.After:
		m.fail("%s changed from %s to %s, which is not the plan", c.Pos, c.Before, c.After)
		return
	case !slices.Contains(w.open, i):
		m.fail("%s was written without a durable intent", c.Pos)
	case w.written[i]:
		m.fail("%s was written twice", c.Pos)
	case m.paused:
		m.fail("%s was written while it is paused", c.Pos)
	case w.undoes != nil && !m.owns(w.undoes, c.Pos):
		m.fail("%s was taken back although it is not the operation's any more", c.Pos)
	}
	for _, d := range w.plan.Dependencies {
		if m.content[d.Pos] != d.State {
			m.fail("%s was written although the dependency at %s is %s", c.Pos, d.Pos, m.content[d.Pos])
		}
	}
	w.written[i] = true
	m.writer[c.Pos] = w
	delete(m.foreign, c.Pos)
}

// durable hears of slices.
func (m *model) durable(s journal.Slice, confirmed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.active
	if !confirmed {
		w.status, w.open = journal.Applying, s.Intent
		return
	}
	for _, i := range s.Written {
		if !w.written[i] {
			m.fail("%s is confirmed and was not written", w.plan.Changes[i].Pos)
		}
		w.confirmed[i] = true
	}
	for _, i := range w.open {
		if w.written[i] && !w.confirmed[i] {
			m.fail("%s was written and is not confirmed", w.plan.Changes[i].Pos)
		}
	}
	w.open = nil
}

// look notes what is not as planned now. It is called whenever the world may have changed.
func (m *model) look() {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.active
	if w == nil {
		return
	}
	for i, c := range w.plan.Changes {
		if !w.written[i] && (m.content[c.Pos] != c.Before || w.undoes != nil && !m.owns(w.undoes, c.Pos)) {
			w.bad[i] = true
		}
	}
	for _, d := range w.plan.Dependencies {
		w.depended = w.depended || m.content[d.Pos] != d.State
	}
}

// leave has the active operation wait for a decision: what it may have written
// is nobody's that came before.
func (m *model) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.active
	w.status, m.active = journal.RecoveryRequired, nil
	for _, i := range w.open {
		m.writer[w.plan.Changes[i].Pos] = w
	}
}

// mask is what an operation wrote or may have written.
func (w *work) mask() (mask []int) {
	for i := range w.plan.Changes {
		if w.confirmed[i] || slices.Contains(w.open, i) {
			mask = append(mask, i)
		}
	}
	return mask
}

// review is what a Review must say.
func (m *model) review(w *work) operation.Review {
	var all []geom.Pos
	var states []string
	r := operation.Review{}
	for _, i := range w.mask() {
		c := w.plan.Changes[i]
		now := m.content[c.Pos]
		all, states = append(all, c.Pos), append(states, now)
		switch now {
		case c.Before:
			r.Before++
		case c.After:
			r.After++
		default:
			r.Foreign++
		}
	}
	r.Positions, r.Digest = len(all), operation.Digest(all, states)
	return r
}

// own is what an operation may take back.
func (m *model) own(w *work) (all []geom.Pos) {
	for i, c := range w.plan.Changes {
		if w.confirmed[i] && m.owns(w, c.Pos) {
			all = append(all, c.Pos)
		}
	}
	return all
}
