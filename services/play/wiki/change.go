package wiki

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// Create makes a page. The same identifier with the same content gives the page
// that there is; with other content it is a fault.Exists. More than MaxPages are
// a fault.Conflict.
func (s *Service) Create(ctx context.Context, owner uuid.UUID, id, title, body string) (out Page, err error) {
	if err := check.All(check.Slug("id", id), checkTexts(title, body)); err != nil {
		return Page{}, err
	}
	now, words := pg.Time(s.now()), wordsOf(owner, title, body)
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if err := lockAuthor(ctx, tx, owner); err != nil {
			return err
		}
		p, err := find(ctx, tx, owner, id)
		switch {
		case err != nil:
			return err
		case p != nil && (p.Title != title || p.Body != body):
			return fault.New(fault.Exists, "there is another wiki page of this identifier; read it, or choose a new one")
		case p != nil:
			out = *p
			return nil
		}
		has, err := count(ctx, tx, owner)
		if err != nil {
			return err
		}
		if has >= MaxPages {
			return fault.Newf(fault.Conflict, "an account has at most %d wiki pages", MaxPages)
		}
		out = Page{ID: id, Title: title, Body: body, Revision: 1, CreatedAt: now, UpdatedAt: now}
		return insert(ctx, tx, owner, out, words)
	})
	return out, err
}

// Update replaces what a page says, at the revision that is expected, else it is
// a fault.Conflict.
func (s *Service) Update(
	ctx context.Context, owner uuid.UUID, id string, expectedRevision int64, title, body string,
) (out Page, err error) {
	if err := checkTexts(title, body); err != nil {
		return Page{}, err
	}
	now, words := pg.Time(s.now()), wordsOf(owner, title, body)
	repeated := false // the page was written, and nobody knows whether that was committed
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		p, err := lock(ctx, tx, owner, id)
		if err != nil {
			return err
		}
		if repeated && p != nil && p.Revision == expectedRevision+1 && p.Title == title && p.Body == body {
			out = *p
			return nil
		}
		if err := expect(p, expectedRevision); err != nil {
			return err
		}
		p.Title, p.Body, p.Revision, p.UpdatedAt = title, body, p.Revision+1, now
		if err := save(ctx, tx, owner, *p, words); err != nil {
			return err
		}
		out, repeated = *p, true
		return nil
	})
	return out, err
}

// Delete deletes a page, at the revision that is expected, else it is a
// fault.Conflict.
func (s *Service) Delete(ctx context.Context, owner uuid.UUID, id string, expectedRevision int64) error {
	repeated := false
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		p, err := lock(ctx, tx, owner, id)
		if err != nil || repeated && p == nil {
			return err
		}
		if err := expect(p, expectedRevision); err != nil {
			return err
		}
		repeated = true
		return remove(ctx, tx, owner, id)
	})
}

// expect holds a page, nil where there is none, against what a caller has read.
func expect(p *Page, revision int64) error {
	if p == nil {
		return noPage()
	}
	if p.Revision != revision {
		return fault.Newf(fault.Conflict, "revision is %d, not %d; read it again", p.Revision, revision)
	}
	return nil
}

func checkTexts(title, body string) error {
	return check.All(check.Text("title", title, 1, MaxTitle), check.Text("body", body, 0, MaxBody))
}
