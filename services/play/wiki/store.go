package wiki

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/fold"
)

var queries = playdb.New()

// words is what a page is found by.
type words struct {
	folded string
	grams  []int64
}

// wordsOf folds a page. The line feed between title and body is in no folded
// query, so that nothing is found across it.
func wordsOf(owner uuid.UUID, title, body string) words {
	folded := fold.Text(title) + "\n" + fold.Text(body)
	return words{folded, fold.Grams(owner, folded)}
}

// lockAuthor lets nobody else add to what an account owns.
func lockAuthor(ctx context.Context, db playdb.DBTX, owner uuid.UUID) error {
	_, err := queries.LockAuthor(ctx, db, owner)
	found, err := pg.Found(err)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such account")
	}
	return err
}

func count(ctx context.Context, db playdb.DBTX, owner uuid.UUID) (int, error) {
	n, err := queries.CountWikiPages(ctx, db, owner)
	return int(n), err
}

// find gives a page, or nil.
func find(ctx context.Context, db playdb.DBTX, owner uuid.UUID, id string) (*Page, error) {
	r, err := queries.GetWikiPage(ctx, db, playdb.GetWikiPageParams{OwnerID: owner, ID: id})
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	return &Page{r.ID, r.Title, r.Body, r.Revision, r.CreatedAt, r.UpdatedAt}, nil
}

// lock gives a page that nobody else changes meanwhile, or nil.
func lock(ctx context.Context, db playdb.DBTX, owner uuid.UUID, id string) (*Page, error) {
	r, err := queries.LockWikiPage(ctx, db, playdb.LockWikiPageParams{OwnerID: owner, ID: id})
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	return &Page{r.ID, r.Title, r.Body, r.Revision, r.CreatedAt, r.UpdatedAt}, nil
}

// insert writes a new page while its author is locked.
func insert(ctx context.Context, db playdb.DBTX, owner uuid.UUID, p Page, w words) error {
	return queries.InsertWikiPage(ctx, db, playdb.InsertWikiPageParams{
		OwnerID: owner, ID: p.ID, Title: p.Title, Body: p.Body, Folded: w.folded, Grams: w.grams, CreatedAt: p.CreatedAt,
	})
}

// save writes a locked page under its next revision.
func save(ctx context.Context, db playdb.DBTX, owner uuid.UUID, p Page, w words) error {
	return queries.UpdateWikiPage(ctx, db, playdb.UpdateWikiPageParams{
		OwnerID: owner, ID: p.ID, Title: p.Title, Body: p.Body, Folded: w.folded, Grams: w.grams, UpdatedAt: p.UpdatedAt,
	})
}

func remove(ctx context.Context, db playdb.DBTX, owner uuid.UUID, id string) error {
	return queries.DeleteWikiPage(ctx, db, playdb.DeleteWikiPageParams{OwnerID: owner, ID: id})
}

func listOf(ctx context.Context, db playdb.DBTX, owner uuid.UUID, offset, limit int) ([]Page, error) {
	rows, err := queries.ListWikiPages(ctx, db, playdb.ListWikiPagesParams{
		OwnerID: owner, Start: int32(offset), Most: int32(limit),
	})
	list := make([]Page, len(rows))
	for i, r := range rows {
		list[i] = Page{ID: r.ID, Title: r.Title, Revision: r.Revision, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
	}
	return list, err
}

// containing lists an owner's pages with a folded text in them, in a transaction
// of its own.
func containing(ctx context.Context, db playdb.DBTX, owner uuid.UUID, folded string) ([]Page, error) {
	if err := queries.PreferWikiIndexes(ctx, db); err != nil {
		return nil, err
	}
	rows, err := queries.SearchWikiPages(ctx, db, playdb.SearchWikiPagesParams{
		OwnerID: owner, Query: folded, Needles: fold.Needles(owner, folded), Most: MaxHits,
	})
	list := make([]Page, len(rows))
	for i, r := range rows {
		list[i] = Page{ID: r.ID, Title: r.Title, Body: r.Body}
	}
	return list, err
}
