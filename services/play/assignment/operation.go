package assignment

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/receipt"
)

// kind is what an operation does; it names the events and the receipts too.
type kind string

const (
	turnKind   kind = "turn"
	finishKind kind = "finish"
	reviewKind kind = "review"
)

// operation is a write of a session.
type operation struct {
	kind     kind
	id       uuid.UUID // chosen by the client
	session  uuid.UUID
	member   uuid.UUID // the game master or the player, who calls
	expected int64     // the version that the assignment must have
	request  [32]byte
}

// newOperation makes an operation of what it asks for. The digest covers the
// content as it was decoded, with the version that it expects. Its rule has a
// number: a receipt is compared by the rule that it was written by.
func newOperation(k kind, id, session, member uuid.UUID, expected int64, content any) operation {
	request := receipt.Hash("pharos.play."+string(k)+".v1", struct {
		Expected int64 `json:"expected_version"`
		Content  any   `json:"content"`
	}{expected, content})
	return operation{k, id, session, member, expected, request}
}

// apply decides about an operation on a locked assignment and writes all of it
// but the receipt. It gives what the receipt keeps.
type apply[T any] func(ctx context.Context, tx pgx.Tx, a locked, now time.Time) (T, error)

// perform applies an operation, or gives the answer that it got before. Its
// errors are what callers are told.
//
// The call has an attempt of its own: where it has to run again because nobody
// knows whether it committed, the receipt that it finds is its own, and no
// replay.
func perform[T any](ctx context.Context, s *Service, o operation, f apply[T]) (result T, replayed bool, err error) {
	attempt := uuid.New()
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		a, err := lock(ctx, tx, o.session, o.member)
		if err != nil {
			return err
		}
		switch {
		case a == nil:
			return absent
		case o.kind == reviewKind && o.member != a.gm:
			return fault.New(fault.Forbidden, "only the game master decides about consequences")
		}
		kept, err := findReceipt(ctx, tx, o)
		if err != nil {
			return err
		}
		text := kept.result
		if replayed = kept.found && kept.attempt != attempt; !kept.found {
			if text, err = write(ctx, tx, *a, o, attempt, pg.Time(s.now()), f); err != nil {
				return err
			}
		}
		// Read back, so that the first answer is what a repeated one will be.
		result = *new(T)
		return json.Unmarshal(text, &result)
	})
	if err != nil {
		return *new(T), false, err
	}
	return result, replayed, nil
}

// write applies an operation that has no receipt, and gives it one.
func write[T any](
	ctx context.Context, tx pgx.Tx, a locked, o operation, attempt uuid.UUID, now time.Time, f apply[T],
) ([]byte, error) {
	switch {
	case a.status == Completed && o.kind != reviewKind:
		return nil, fault.New(fault.Conflict, "the session is completed; nothing more can be written to it")
	case a.version != o.expected:
		return nil, fault.Newf(fault.Conflict, "version conflict: the version is %d, not %d; read %s again before you write",
			a.version, o.expected, o.source())
	}
	result, err := f(ctx, tx, a, now)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	return text, keepReceipt(ctx, tx, o, attempt, a.version+1, text, now)
}

// source is what shows the version to who calls.
func (o operation) source() string {
	if o.kind == reviewKind {
		return "the session"
	}
	return "the context"
}

// kept is what is found of an operation.
type kept struct {
	found   bool
	attempt uuid.UUID
	result  []byte
}

// findReceipt finds the receipt of an operation. One under the same identifier
// of anything else is refused.
func findReceipt(ctx context.Context, tx pgx.Tx, o operation) (kept, error) {
	r, err := receiptOf(ctx, tx, o.session, o.id)
	if found, err := pg.Found(err); err != nil || !found {
		return kept{}, err
	}
	if kind(r.Kind) != o.kind || !bytes.Equal(r.Request, o.request[:]) {
		return kept{}, fault.New(fault.Conflict, "operation id already used: this operation_id was used with other content "+
			"or for something else; use a new one for a new operation")
	}
	return kept{true, r.AttemptID, r.Result}, nil
}
