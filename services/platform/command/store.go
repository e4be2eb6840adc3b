package command

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// Kept is how long a receipt counts.
const Kept = 24 * time.Hour

var queries = platformdb.New()

// batch is how many receipts one statement forgets, so that none takes long.
const batch = 1000

// place is where a receipt lies.
type place struct {
	Command
	party uuid.UUID
}

func placeOf(party uuid.UUID, c Command) place { return place{c, party} }

// lock waits for the other commands under the key. The lock is released when
// the transaction ends. Keys may share a lock, which costs nothing but a wait.
func lock(ctx context.Context, tx pgx.Tx, p place) error {
	text := append(p.party[:], p.Key[:]...)
	sum := sha256.Sum256(append(text, p.Operation...))
	return queries.LockReceiptKey(ctx, tx, int64(binary.BigEndian.Uint64(sum[:])))
}

// find looks for the receipt at a place, and which request it answers.
func find(ctx context.Context, tx pgx.Tx, p place, now time.Time) (*answer, [sha256.Size]byte, error) {
	row, err := queries.GetReceipt(ctx, tx, platformdb.GetReceiptParams{
		PartyID: p.party, Operation: p.Operation, Key: p.Key, Since: now.Add(-Kept),
	})
	if found, err := pg.Found(err); err != nil || !found {
		return nil, [sha256.Size]byte{}, err
	}
	return &answer{Outcome{
		ID: row.AggregateID, Version: row.Version, Rejection: Rejection(row.Rejection),
		Status: int(row.Status), Pending: row.Pending,
	}, row.Value}, [sha256.Size]byte(row.Request), nil
}

// keep writes the receipt of an answer.
func keep(ctx context.Context, tx pgx.Tx, p place, hash [sha256.Size]byte, a answer, now time.Time) error {
	return queries.PutReceipt(ctx, tx, platformdb.PutReceiptParams{
		PartyID: p.party, Operation: p.Operation, Key: p.Key, Request: hash[:],
		AggregateID: a.ID, Version: a.Version, Rejection: string(a.Rejection), Status: int32(a.Status), Pending: a.Pending,
		Value: a.value, CreatedAt: now,
	})
}

// forget deletes a batch of the receipts up to a moment, and says how many.
func forget(ctx context.Context, db platformdb.DBTX, before time.Time) (int64, error) {
	return queries.DeleteExpiredReceipts(ctx, db, platformdb.DeleteExpiredReceiptsParams{Before: before, Most: batch})
}
