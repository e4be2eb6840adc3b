package operation_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// moment is when a test may step in. The names say which call is about to be
// made, or has been.
type moment string

const (
	beforeView    moment = "before view"
	afterView     moment = "after view"
	beforeIntent  moment = "before intent"
	afterIntent   moment = "after intent"
	inEdit        moment = "in edit" // before anything is looked at, under the lock
	beforeFlush   moment = "before flush"
	beforeConfirm moment = "before confirm"
	afterConfirm  moment = "after confirm"
	beforeFinish  moment = "before finish"
	afterFinish   moment = "after finish"
	afterBegin    moment = "after begin"
	afterCancel   moment = "after cancel"
	beforeAbandon moment = "before abandon"
	afterAbandon  moment = "after abandon"
	beforeRequire moment = "before require recovery"
)

// hooks are what a test does at moments. An error is what the call returns.
type hooks struct {
	mu sync.Mutex
	do func(moment) error
}

func (h *hooks) on(do func(moment) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.do = do
}

func (h *hooks) forget() { h.on(nil) }

func (h *hooks) pass(m moment) error {
	h.mu.Lock()
	do := h.do
	h.mu.Unlock()
	if do == nil {
		return nil
	}
	return do(m)
}

// hooked is a host whose calls a test may step into.
type hooked struct {
	host.Host
	hooks
}

func (h *hooked) View(ctx context.Context, box geom.Box, f func(host.Reader) error) error {
	if err := h.pass(beforeView); err != nil {
		return err
	}
	if err := h.Host.View(ctx, box, f); err != nil {
		return err
	}
	return h.pass(afterView)
}

func (h *hooked) Edit(ctx context.Context, cause host.Cause, box geom.Box, f func(host.Writer) error) (uint64, error) {
	return h.Host.Edit(ctx, cause, box, func(w host.Writer) error {
		if err := h.pass(inEdit); err != nil {
			return err
		}
		return f(w)
	})
}

func (h *hooked) Flush(ctx context.Context, chunks []host.ChunkPos) error {
	if err := h.pass(beforeFlush); err != nil {
		return err
	}
	return h.Host.Flush(ctx, chunks)
}

// hookedJournal is a journal of the same kind. What comes after a call is lost on
// the way back where the hook says so: the journal has it.
type hookedJournal struct {
	*journal.Store
	hooks
	told func(s journal.Slice, confirmed bool) // of what is durable, or nil
}

func (h *hookedJournal) tell(s journal.Slice, confirmed bool) {
	if h.told != nil {
		h.told(s, confirmed)
	}
}

func (h *hookedJournal) Begin(ctx context.Context, r journal.Request) (journal.Operation, bool, error) {
	o, created, err := h.Store.Begin(ctx, r)
	if err == nil {
		err = h.pass(afterBegin)
	}
	return o, created, err
}

func (h *hookedJournal) Intent(ctx context.Context, s journal.Slice) (journal.Operation, error) {
	if err := h.pass(beforeIntent); err != nil {
		return journal.Operation{}, err
	}
	o, err := h.Store.Intent(ctx, s)
	if err == nil {
		h.tell(s, false)
		err = h.pass(afterIntent)
	}
	return o, err
}

func (h *hookedJournal) Confirm(ctx context.Context, s journal.Slice, sample []journal.Conflict) (journal.Operation, error) {
	if err := h.pass(beforeConfirm); err != nil {
		return journal.Operation{}, err
	}
	o, err := h.Store.Confirm(ctx, s, sample)
	if err == nil {
		h.tell(s, true)
		err = h.pass(afterConfirm)
	}
	return o, err
}

func (h *hookedJournal) Finish(ctx context.Context, id uuid.UUID, s journal.Status, reason string) (journal.Operation, error) {
	if err := h.pass(beforeFinish); err != nil {
		return journal.Operation{}, err
	}
	o, err := h.Store.Finish(ctx, id, s, reason)
	if err == nil {
		err = h.pass(afterFinish)
	}
	return o, err
}

func (h *hookedJournal) RequireRecovery(ctx context.Context, id uuid.UUID, reason string) (journal.Operation, error) {
	if err := h.pass(beforeRequire); err != nil {
		return journal.Operation{}, err
	}
	return h.Store.RequireRecovery(ctx, id, reason)
}

func (h *hookedJournal) Cancel(ctx context.Context, id uuid.UUID) (journal.Operation, error) {
	o, err := h.Store.Cancel(ctx, id)
	if err == nil {
		err = h.pass(afterCancel)
	}
	return o, err
}

func (h *hookedJournal) Abandon(ctx context.Context, id uuid.UUID, digest, reason string) (journal.Operation, error) {
	if err := h.pass(beforeAbandon); err != nil {
		return journal.Operation{}, err
	}
	o, err := h.Store.Abandon(ctx, id, digest, reason)
	if err == nil {
		err = h.pass(afterAbandon)
	}
	return o, err
}

// steps is a clock that a test sets. Sleeping takes no time but moves it on.
type steps struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
	each  time.Duration // what each look at it takes
}

func (s *steps) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(s.each)
	return s.now
}

func (s *steps) Sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now, s.slept = s.now.Add(d), append(s.slept, d)
	return ctx.Err()
}

var unusable = host.Unreadable{Reason: errors.New("the test damaged it")}
