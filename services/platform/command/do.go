package command

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/receipt"
	"github.com/pharos-mcp/pharos/services/platform/access"
)

// Door is where commands come in. It is safe for concurrent use.
type Door struct {
	pool *pgxpool.Pool
	now  func() time.Time
}

// NewDoor returns the door to a database that takes the time from now.
func NewDoor(pool *pgxpool.Pool, now func() time.Time) *Door { return &Door{pool, now} }

// Do applies a command for the principal of ctx, or gives the answer that it
// got before. The request is its content, everything that makes it this one
// and no other beside what the Command carries.
//
// Apply decides before it writes: it locks its aggregate FOR NO KEY UPDATE,
// parents before children, and a rejection writes nothing. It may run more than
// once, each time in a transaction of its own of which the last alone stands;
// now is the time of the command, as exact as the database keeps it.
func Do[T any](
	ctx context.Context, d *Door, c Command, request any,
	apply func(ctx context.Context, tx pgx.Tx, now time.Time) (Result[T], error),
) (Result[T], error) {
	place := placeOf(access.From(ctx).Party, c)
	hash := receipt.Hash("pharos.platform."+c.Operation+".v1", struct {
		ID       uuid.UUID
		Expected int64
		Request  any
	}{c.ID, c.Expected, request})
	var result Result[T]
	err := pg.Write(ctx, d.pool, func(ctx context.Context, tx pgx.Tx) error {
		answer, err := d.once(ctx, tx, place, hash, func(now time.Time) (answer, error) {
			made, err := apply(ctx, tx, now)
			if err != nil {
				return answer{}, err
			}
			return answerOf(c, made)
		})
		if err != nil {
			return err
		}
		result = Result[T]{Outcome: answer.Outcome}
		if answer.Outcome.Rejection != "" {
			return nil
		}
		// Read back, so that the first answer is what a repeated one will be.
		return json.Unmarshal(answer.value, &result.Value)
	})
	if err != nil {
		return Result[T]{}, err
	}
	return result, nil
}

// answer is a result as a receipt keeps it.
type answer struct {
	Outcome
	value []byte
}

func answerOf[T any](c Command, r Result[T]) (answer, error) {
	if r.ID == uuid.Nil {
		r.ID = c.ID
	}
	if r.Rejection != "" {
		return answer{r.Outcome, []byte("null")}, nil
	}
	value, err := json.Marshal(r.Value)
	return answer{r.Outcome, value}, err
}

// once gives the answer under a key, and makes and keeps one where there is
// none.
func (d *Door) once(
	ctx context.Context, tx pgx.Tx, p place, hash [sha256.Size]byte, apply func(now time.Time) (answer, error),
) (answer, error) {
	if err := lock(ctx, tx, p); err != nil {
		return answer{}, err
	}
	now := pg.Time(d.now())
	kept, request, err := find(ctx, tx, p, now)
	if err != nil {
		return answer{}, err
	}
	if kept != nil {
		if request != hash {
			return answerOf(p.Command, Rejected[None](0, KeyReuse))
		}
		return *kept, nil
	}
	made, err := apply(now)
	if err != nil {
		return answer{}, err
	}
	return made, keep(ctx, tx, p, hash, made, now)
}
