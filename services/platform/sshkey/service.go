package sshkey

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// maxKeys is how many keys a party may have.
const maxKeys = 50

// The rejections that only keys know, beside the reasons of refusals.
const (
	keyExists command.Rejection = "key_exists" // the party has it already
	keyLimit  command.Rejection = "key_limit"  // the party has as many as allowed
)

// Key is a public key of a party.
type Key struct {
	ID   uuid.UUID
	Name string
	Public
	Revision  int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Keys answers for SSH keys. It is safe for concurrent use.
type Keys struct {
	pool *pgxpool.Pool
	door *command.Door
}

// New returns the keys of a database whose commands come in through the door.
func New(pool *pgxpool.Pool, door *command.Door) *Keys { return &Keys{pool, door} }

// result is that of a command which answers with its outcome alone.
type result = command.Result[command.None]

// Get gives a key to its party.
func (k *Keys) Get(ctx context.Context, id uuid.UUID) (Key, error) {
	key, found, err := get(ctx, k.pool, id, access.From(ctx).Party)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such SSH key")
	}
	return key, err
}

// List gives a page of the caller's keys, the newest first.
func (k *Keys) List(ctx context.Context, p page.Page) ([]Key, *string, error) {
	return list(ctx, k.pool, access.From(ctx).Party, p)
}

// Add gives the caller a key, read from a line. What Parse refuses is a
// rejection, of which a private key leaves no trace: its command is not kept.
func (k *Keys) Add(ctx context.Context, c command.Command, name, line string) (command.Result[Key], error) {
	public, refused := Parse(line)
	refusal, _ := errors.AsType[*Refusal](refused)
	if refusal != nil && refusal.Reason == PrivateKey {
		return command.Result[Key]{Outcome: command.Outcome{
			ID: c.ID, Rejection: command.Rejection(PrivateKey), Status: http.StatusUnprocessableEntity,
		}}, nil
	}
	request := []string{name, line}
	return command.Do(ctx, k.door, c, request, func(
		ctx context.Context, tx pgx.Tx, now time.Time,
	) (command.Result[Key], error) {
		if refusal != nil {
			return command.Unfit[Key](0, command.Rejection(refusal.Reason)), nil
		}
		key := Key{ID: c.ID, Name: name, Public: public, Revision: 1, CreatedAt: now, UpdatedAt: now}
		return add(ctx, tx, c.Expected, key)
	})
}

// add writes a key, or tells why it cannot.
func add(ctx context.Context, tx pgx.Tx, expected int64, key Key) (command.Result[Key], error) {
	party := access.From(ctx).Party
	there, err := taken(ctx, tx, key, party)
	if err != nil {
		return command.Result[Key]{}, err
	}
	switch {
	case expected != 0:
		return command.Rejected[Key](there.revision, command.StaleRevision), nil
	case there.id:
		return command.Rejected[Key](there.revision, command.AlreadyExists), nil
	case there.key:
		return command.Rejected[Key](0, keyExists), nil
	case there.keys >= maxKeys:
		return command.Unfit[Key](0, keyLimit), nil
	}
	fresh, err := insert(ctx, tx, key, party)
	if err != nil {
		return command.Result[Key]{}, err
	}
	if !fresh { // somebody else took the identifier at the same time
		return command.Rejected[Key](0, command.AlreadyExists), nil
	}
	return command.Created(1, key), nil
}

// Rename gives a key another name.
func (k *Keys) Rename(ctx context.Context, c command.Command, name string) (result, error) {
	return k.change(ctx, c, name, func(ctx context.Context, tx pgx.Tx, now time.Time) error {
		return rename(ctx, tx, c.ID, name, now)
	})
}

// Delete takes a key from its party, which may add it again.
func (k *Keys) Delete(ctx context.Context, c command.Command) (result, error) {
	return k.change(ctx, c, nil, func(ctx context.Context, tx pgx.Tx, _ time.Time) error {
		return remove(ctx, tx, c.ID)
	})
}

// change applies a command to a key of the caller's that is at the expected
// revision.
func (k *Keys) change(
	ctx context.Context, c command.Command, request any, apply func(ctx context.Context, tx pgx.Tx, now time.Time) error,
) (result, error) {
	return command.Do(ctx, k.door, c, request, func(ctx context.Context, tx pgx.Tx, now time.Time) (result, error) {
		revision, found, err := lock(ctx, tx, c.ID, access.From(ctx).Party)
		switch {
		case err != nil || !found:
			return command.Rejected[command.None](0, command.NotFound), err
		case revision != c.Expected:
			return command.Rejected[command.None](revision, command.StaleRevision), nil
		}
		return command.Applied(revision+1, command.None{}), apply(ctx, tx, now)
	})
}
