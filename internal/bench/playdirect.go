package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/fold"
)

// offered is what every turn proposes.
var offered = []assignment.Effect{
	{Category: assignment.Relationship, Description: "Mira may become a contact of the company in Hoarfield."},
	{Category: assignment.Discovery, Description: "A torn page of the ledger, which names who paid for the ice."},
}

// turnsOf makes up turns that a worker commits over and over.
func turnsOf(worker int) (turns []turnText, memory string) {
	random := rand.New(rand.NewPCG(7, uint64(worker)))
	for range variety {
		turns = append(turns, newTurn(random, ""))
	}
	return turns, prose(random, memorySize)
}

// directTurns sends the database the statements of a turn's transaction, and
// does nothing else: what can be found of the turns is known before.
type directTurns struct {
	session
	pool   *pgxpool.Pool
	turns  []turnText
	grams  [][]int64
	memory string
	result []byte // of every receipt
	done   int
}

var playStatements = playdb.New()

func newDirectTurns(s session, pool *pgxpool.Pool, worker int) (*directTurns, error) {
	d := &directTurns{session: s, pool: pool}
	d.turns, d.memory = turnsOf(worker)
	for _, t := range d.turns {
		d.grams = append(d.grams, fold.Grams(s.ID, t.folded))
	}
	r := assignment.Receipt{SessionID: s.ID, Version: s.Version}
	for _, e := range offered {
		r.Consequences = append(r.Consequences, assignment.Recorded{
			ID: uuid.New(), Status: assignment.Pending, Category: e.Category, Description: e.Description,
		})
	}
	var err error
	d.result, err = json.Marshal(r)
	return d, err
}

// commit is the transaction of one turn.
func (d *directTurns) commit(ctx context.Context) error {
	d.done++
	operation, request, now := uuid.New(), sha256.Sum256(nil), time.Now()
	return pgx.BeginTxFunc(ctx, d.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		a, err := playStatements.LockAssignment(ctx, tx, playdb.LockAssignmentParams{ID: d.ID, MemberID: d.Player.ID})
		if err != nil {
			return err
		}
		_, err = playStatements.GetReceipt(ctx, tx, playdb.GetReceiptParams{AssignmentID: d.ID, OperationID: operation})
		if err == nil {
			return fmt.Errorf("operation %s has a receipt already", operation)
		}
		if err := d.write(ctx, tx, a.Version+1, now); err != nil {
			return err
		}
		n, err := playStatements.RaiseToTurn(ctx, tx, playdb.RaiseToTurnParams{
			ID: d.ID, Expected: a.Version, Memory: d.memory, CurrentScene: a.CurrentScene, Proposed: int64(len(offered)), UpdatedAt: now,
		})
		if err == nil && n != 1 {
			err = fmt.Errorf("assignment %s was not at version %d", d.ID, a.Version)
		}
		if err != nil {
			return err
		}
		return playStatements.InsertReceipt(ctx, tx, playdb.InsertReceiptParams{
			AssignmentID: d.ID, OperationID: operation, Kind: "turn", Request: request[:], AttemptID: uuid.New(),
			Version: a.Version + 1, Result: d.result, CreatedAt: now,
		})
	})
}

// write writes an event, what can be found of it, and what it proposes.
func (d *directTurns) write(ctx context.Context, tx pgx.Tx, version int64, now time.Time) error {
	n := d.done % variety
	err := playStatements.InsertEvent(ctx, tx, playdb.InsertEventParams{
		AssignmentID: d.ID, Version: version, Kind: "turn", Action: d.turns[n].action, Narration: d.turns[n].narration,
		Scene: d.CurrentScene, CreatedAt: now,
	})
	if err != nil {
		return err
	}
	err = playStatements.InsertEventText(ctx, tx, playdb.InsertEventTextParams{
		AssignmentID: d.ID, Version: version, Folded: d.turns[n].folded, Grams: d.grams[n],
	})
	if err != nil {
		return err
	}
	p := playdb.InsertConsequencesParams{AssignmentID: d.ID, Version: version, CreatedAt: now}
	for _, e := range offered {
		p.Ids = append(p.Ids, uuid.New())
		p.Categories = append(p.Categories, e.Category)
		p.Descriptions = append(p.Descriptions, e.Description)
		p.Statuses = append(p.Statuses, assignment.Pending)
	}
	return playStatements.InsertConsequences(ctx, tx, p)
}
