package scenario

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// CreateNode adds a node to a draft. The same identifier with the same content
// gives the node that there is; with other content it is a fault.Exists. More
// than MaxNodes are a fault.Conflict, and so is a version that is published.
func (s *Service) CreateNode(
	ctx context.Context, owner, id uuid.UUID, version int64, n NewNode,
) (out Node, err error) {
	content := NodeContent{n.Kind, n.Title, n.Body, n.GMNotes, n.Position}
	if err := check.All(check.Slug("id", n.ID), content.check()); err != nil {
		return Node{}, err
	}
	err = s.change(ctx, owner, id, func(ctx context.Context, w writing) error {
		existing, err := w.node(ctx, version, n.ID)
		if err != nil {
			return err
		}
		if existing != nil && content.is(*existing) {
			out = *existing
			return nil
		}
		if err := w.draft(ctx, version); err != nil {
			return err
		}
		if existing != nil {
			return fault.New(fault.Exists, "the version has another node of this identifier; read it, or choose a new one")
		}
		out, err = w.add(ctx, version, n)
		return err
	})
	return out, err
}

// UpdateNode replaces what a node of a draft says, at the revision that is
// expected, else it is a fault.Conflict.
func (s *Service) UpdateNode(
	ctx context.Context, owner, id uuid.UUID, version int64, node string, expectedRevision int64, c NodeContent,
) (out Node, err error) {
	if err := c.check(); err != nil {
		return Node{}, err
	}
	err = s.change(ctx, owner, id, func(ctx context.Context, w writing) error {
		n, err := w.node(ctx, version, node)
		if err != nil {
			return err
		}
		if w.repeated && n != nil && n.Revision == expectedRevision+1 && c.is(*n) {
			out = *n
			return nil
		}
		if err := w.may(ctx, version, n, expectedRevision); err != nil {
			return err
		}
		n.Kind, n.Title, n.Body, n.GMNotes = c.Kind, c.Title, c.Body, c.GMNotes
		if c.Position != nil {
			n.Position = *c.Position
		}
		n.Revision, n.UpdatedAt = n.Revision+1, w.now
		if err := updateNode(ctx, w.tx, w.scenario.ID, version, *n); err != nil {
			return err
		}
		out = *n
		return w.revise(ctx, version)
	})
	return out, err
}

// DeleteNode takes a node out of a draft, at the revision that is expected, else
// it is a fault.Conflict.
func (s *Service) DeleteNode(
	ctx context.Context, owner, id uuid.UUID, version int64, node string, expectedRevision int64,
) error {
	return s.change(ctx, owner, id, func(ctx context.Context, w writing) error {
		n, err := w.node(ctx, version, node)
		if err != nil || w.repeated && n == nil {
			return err
		}
		if err := w.may(ctx, version, n, expectedRevision); err != nil {
			return err
		}
		if err := deleteNode(ctx, w.tx, w.scenario.ID, version, node); err != nil {
			return err
		}
		return w.revise(ctx, version)
	})
}

// node finds a node, or nil, of a version that there is.
func (w writing) node(ctx context.Context, version int64, node string) (*Node, error) {
	if _, err := findVersion(ctx, w.tx, w.scenario.ID, version); err != nil {
		return nil, err
	}
	return findNode(ctx, w.tx, w.scenario.ID, version, node)
}

// may refuses a change of a node, nil where there is none.
func (w writing) may(ctx context.Context, version int64, n *Node, expected int64) error {
	if n == nil {
		return noNode()
	}
	if err := w.draft(ctx, version); err != nil {
		return err
	}
	return expect(n.Revision, expected)
}

// add puts a new node into a draft.
func (w writing) add(ctx context.Context, version int64, n NewNode) (Node, error) {
	number, err := countNodes(ctx, w.tx, w.scenario.ID, version, "")
	if err != nil {
		return Node{}, err
	}
	if number >= MaxNodes {
		return Node{}, fault.Newf(fault.Conflict, "a version has at most %d nodes", MaxNodes)
	}
	made := Node{
		ID: n.ID, Kind: n.Kind, Title: n.Title, Body: n.Body, GMNotes: n.GMNotes, Revision: 1, UpdatedAt: w.now,
	}
	if n.Position != nil {
		made.Position = *n.Position
	} else if made.Position, err = nextPosition(ctx, w.tx, w.scenario.ID, version); err != nil {
		return Node{}, err
	}
	if err := insertNode(ctx, w.tx, w.scenario.ID, version, made); err != nil {
		return Node{}, err
	}
	return made, w.revise(ctx, version)
}

// revise raises the revision of a draft whose nodes change.
func (w writing) revise(ctx context.Context, version int64) error {
	if err := reviseVersion(ctx, w.tx, w.scenario.ID, version); err != nil {
		return err
	}
	return w.touch(ctx)
}

func (c NodeContent) check() error {
	err := check.All(
		check.Choice("kind", c.Kind, Kinds()...),
		check.Text("title", c.Title, 1, MaxNodeTitle),
		check.Text("body", c.Body, 0, MaxBody),
		check.Text("gm_notes", c.GMNotes, 0, MaxGMNotes),
	)
	if err == nil && c.Position != nil {
		err = check.Range("position", *c.Position, 0, MaxPosition)
	}
	return err
}

// is tells whether a node says this already.
func (c NodeContent) is(n Node) bool {
	return n.Kind == c.Kind && n.Title == c.Title && n.Body == c.Body && n.GMNotes == c.GMNotes &&
		(c.Position == nil || n.Position == *c.Position)
}
