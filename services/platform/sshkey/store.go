package sshkey

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

var queries = platformdb.New()

func keyOf(r platformdb.PlatformSSHKey) Key {
	return Key{
		ID: r.ID, Name: r.Name,
		Public: Public{
			Type: r.Algorithm, Bits: int(r.Bits), Fingerprint: r.Fingerprint, Line: r.PublicKey, Comment: r.Comment,
		},
		Revision: r.Revision, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// get gives a key to its party.
func get(ctx context.Context, db platformdb.DBTX, id, party uuid.UUID) (Key, bool, error) {
	row, err := queries.GetSSHKey(ctx, db, platformdb.GetSSHKeyParams{ID: id, PartyID: party})
	found, err := pg.Found(err)
	return keyOf(row), found, err
}

func list(ctx context.Context, db platformdb.DBTX, party uuid.UUID, p page.Page) ([]Key, *string, error) {
	from := p.Below()
	rows, err := queries.ListSSHKeys(ctx, db, platformdb.ListSSHKeysParams{
		PartyID: party, BeforeTime: from.Time, BeforeID: from.ID, PageSize: p.Fetch(),
	})
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, func(r platformdb.PlatformSSHKey) page.Key {
		return page.Key{Time: r.CreatedAt, ID: r.ID}
	})
	keys := make([]Key, len(rows))
	for i, r := range rows {
		keys[i] = keyOf(r)
	}
	return keys, next, nil
}

// standing is what stands against a new key: its identifier is taken, at a
// revision that its party may know, or its party has it, or too many.
type standing struct {
	id, key  bool
	revision int64
	keys     int64
}

// taken looks at what a party would add, and lets it add nothing else
// meanwhile.
func taken(ctx context.Context, tx pgx.Tx, key Key, party uuid.UUID) (standing, error) {
	var s standing
	if _, err := queries.LockParty(ctx, tx, party); err != nil {
		return s, err
	}
	there, err := queries.FindSSHKey(ctx, tx, key.ID)
	if s.id, err = pg.Found(err); err != nil {
		return s, err
	}
	if s.id && there.PartyID == party {
		s.revision = there.Revision
	}
	row, err := queries.CountSSHKeys(ctx, tx, platformdb.CountSSHKeysParams{
		PartyID: party, Fingerprint: key.Fingerprint, Most: maxKeys,
	})
	s.key, s.keys = row.There, row.Count
	return s, err
}

// insert writes a key; false means that its identifier has just been taken.
func insert(ctx context.Context, tx pgx.Tx, key Key, party uuid.UUID) (bool, error) {
	n, err := queries.InsertSSHKey(ctx, tx, platformdb.InsertSSHKeyParams{
		ID: key.ID, PartyID: party, Name: key.Name, Algorithm: key.Type, Bits: int32(key.Bits),
		Fingerprint: key.Fingerprint, PublicKey: key.Line, Comment: key.Comment, CreatedAt: key.CreatedAt,
	})
	return n == 1, err
}

// lock gives the revision of a key of a party, and lets nobody else change the
// key meanwhile.
func lock(ctx context.Context, tx pgx.Tx, id, party uuid.UUID) (int64, bool, error) {
	revision, err := queries.LockSSHKey(ctx, tx, platformdb.LockSSHKeyParams{ID: id, PartyID: party})
	found, err := pg.Found(err)
	return revision, found, err
}

// rename and remove change a locked key.
func rename(ctx context.Context, tx pgx.Tx, id uuid.UUID, name string, now time.Time) error {
	return queries.RenameSSHKey(ctx, tx, platformdb.RenameSSHKeyParams{ID: id, Name: name, UpdatedAt: now})
}

func remove(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return queries.DeleteSSHKey(ctx, tx, id)
}
