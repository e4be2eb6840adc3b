package journal

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Config is what a store needs.
type Config struct {
	Pool  *pgxpool.Pool
	World uuid.UUID        // whose journal it is
	Now   func() time.Time // nil for PostgreSQL's clock
}

// Store is the journal of one world: what belongs to another is not found. It
// is safe for concurrent use.
type Store struct {
	pool  *pgxpool.Pool
	world uuid.UUID
	now   func() time.Time
}

// New returns the store of a world.
func New(c Config) *Store { return &Store{c.Pool, c.World, c.Now} }

// Request asks for an operation.
type Request struct {
	ID      uuid.UUID // of the operation, where it is a new one; a new one for each call
	Project string
	Player  uuid.UUID
	Plan    uuid.UUID
	Hash    string // as the caller has it
	Key     string
}

// PutPlan keeps a plan, once, and returns it with its times.
func (s *Store) PutPlan(ctx context.Context, p Plan) (Plan, error) {
	return Plan{}, errors.ErrUnsupported
}

// PutChain keeps the plans of a chain, all or none.
func (s *Store) PutChain(ctx context.Context, plans []Plan) ([]Plan, error) {
	return nil, errors.ErrUnsupported
}

// Plan finds a plan with all its blocks.
func (s *Store) Plan(ctx context.Context, id uuid.UUID) (Plan, error) {
	return Plan{}, errors.ErrUnsupported
}

// DiscardPlan has a plan never be begun. One that made an operation is plan_used.
func (s *Store) DiscardPlan(ctx context.Context, id uuid.UUID) (Plan, error) {
	return Plan{}, errors.ErrUnsupported
}

// Prune deletes at most so many plans that ran out a day ago without an operation.
func (s *Store) Prune(ctx context.Context, most int) (int, error) { return 0, errors.ErrUnsupported }

// Begin makes an operation, or finds the one that the same key and plan have
// made. created tells that this call made it, and that it has to be worked at.
func (s *Store) Begin(ctx context.Context, r Request) (o Operation, created bool, err error) {
	return Operation{}, false, errors.ErrUnsupported
}

// ErrStop is a slice that must not begin: the operation or its project is
// paused, or it is to be cancelled, or it is not active any more. The operation
// that comes with it says which.
var ErrStop = errors.New("the operation must not go on")

// Intent makes durable what a slice may write. Only Operation, Index and Intent
// of it count.
func (s *Store) Intent(ctx context.Context, slice Slice) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// Confirm says what a slice wrote, after that is on the disk, and what it left
// alone. Only Operation, Index, Written and Conflicts of it count. sample is of
// the conflicts; what is beyond MaxSample of the operation is left out.
func (s *Store) Confirm(ctx context.Context, slice Slice, sample []Conflict) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// Finish ends an operation as applied, conflict, cancelled or failed.
func (s *Store) Finish(ctx context.Context, operation uuid.UUID, status Status, reason string) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// RequireRecovery has an active operation wait for a decision.
func (s *Store) RequireRecovery(ctx context.Context, operation uuid.UUID, reason string) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// Cancel asks that no later slice begins. Of an operation that has ended it changes nothing.
func (s *Store) Cancel(ctx context.Context, operation uuid.UUID) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// PauseOperation has an operation stop between two slices, or go on.
func (s *Store) PauseOperation(ctx context.Context, operation uuid.UUID, paused bool) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// PauseProject has all operations of a project stop, and none begin, or lets them again.
func (s *Store) PauseProject(ctx context.Context, project string, paused bool) error {
	return errors.ErrUnsupported
}

// ProjectPaused tells whether a project is paused.
func (s *Store) ProjectPaused(ctx context.Context, project string) (bool, error) {
	return false, errors.ErrUnsupported
}

// MarkUnfinished has what another process left active wait for a decision, and
// returns all that waits for one. It is called before anything else at the start.
func (s *Store) MarkUnfinished(ctx context.Context, reason string) ([]Operation, error) {
	return nil, errors.ErrUnsupported
}

// Unfinished lists what has not ended.
func (s *Store) Unfinished(ctx context.Context) ([]Operation, error) {
	return nil, errors.ErrUnsupported
}

// Abandon ends an operation that waits for a decision as failed, with its undo
// off, and keeps the digest of what was seen. Again with the same digest it
// changes nothing.
func (s *Store) Abandon(ctx context.Context, operation uuid.UUID, digest, reason string) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// Operation finds an operation.
func (s *Store) Operation(ctx context.Context, id uuid.UUID) (Operation, error) {
	return Operation{}, errors.ErrUnsupported
}

// Recent lists the newest operations of a project, newest first.
func (s *Store) Recent(ctx context.Context, project string, most int) ([]Operation, error) {
	return nil, errors.ErrUnsupported
}

// UndoList lists the newest operations of a project that wrote something and
// may be undone, newest first.
func (s *Store) UndoList(ctx context.Context, project string, most int) ([]Undoable, error) {
	return nil, errors.ErrUnsupported
}

// Slices lists the slices of an operation in order.
func (s *Store) Slices(ctx context.Context, operation uuid.UUID) ([]Slice, error) {
	return nil, errors.ErrUnsupported
}

// LaterWriters goes through the operations after one that wrote, or may have
// written, in the box, in order. uuid.Nil is before all.
func (s *Store) LaterWriters(ctx context.Context, box geom.Box, after uuid.UUID) iter.Seq2[Writer, error] {
	return func(yield func(Writer, error) bool) { yield(Writer{}, errors.ErrUnsupported) }
}

// PutPart makes what an operation wrote a part. Only ID, Project, Player, Name
// and Operation of it count. The same name and operation give the same part.
func (s *Store) PutPart(ctx context.Context, p Part) (Part, error) {
	return Part{}, errors.ErrUnsupported
}

// Part finds a part of a project.
func (s *Store) Part(ctx context.Context, project string, id uuid.UUID) (Part, error) {
	return Part{}, errors.ErrUnsupported
}

// Parts lists the newest parts of a project, newest first, without their masks.
func (s *Store) Parts(ctx context.Context, project string, most int) ([]Part, error) {
	return nil, errors.ErrUnsupported
}
