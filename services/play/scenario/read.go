package scenario

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// Nodes gives a part of the nodes of a version, by position and then by
// identifier, and how many there are: all, or those of one kind unless it is
// "". A part has 1 to MaxPage of them.
func (s *Service) Nodes(
	ctx context.Context, owner, id uuid.UUID, version int64, kind string, offset, limit int,
) (total int, list []Node, err error) {
	if err := check.Page(offset, limit, MaxPage); err != nil {
		return 0, nil, err
	}
	if kind != "" {
		if err := check.Choice("kind", kind, Kinds()...); err != nil {
			return 0, nil, err
		}
	}
	err = s.read(ctx, owner, id, version, func(ctx context.Context, tx pgx.Tx) (err error) {
		if total, err = countNodes(ctx, tx, id, version, kind); err != nil {
			return err
		}
		list, err = listNodes(ctx, tx, id, version, kind, offset, limit)
		return err
	})
	return total, list, err
}

// Node gives a node of a version.
func (s *Service) Node(ctx context.Context, owner, id uuid.UUID, version int64, node string) (out Node, err error) {
	err = s.read(ctx, owner, id, version, func(ctx context.Context, tx pgx.Tx) error {
		n, err := findNode(ctx, tx, id, version, node)
		if err != nil {
			return err
		}
		if n == nil {
			return noNode()
		}
		out = *n
		return nil
	})
	return out, err
}

// read runs f where the owner's scenario has the version.
func (s *Service) read(ctx context.Context, owner, id uuid.UUID, version int64, f pg.Work) error {
	return pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if err := see(ctx, tx, owner, id, version); err != nil {
			return err
		}
		return f(ctx, tx)
	})
}
