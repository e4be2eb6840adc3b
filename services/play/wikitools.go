package play

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generated/author"
	"github.com/pharos-mcp/pharos/generated/authortoolsapi"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// wikiTools are an author's tools for the private campaign wiki.
type wikiTools struct{ service *Service }

// ListWikiPages implements author.Handler.
func (t wikiTools) ListWikiPages(
	ctx context.Context, in *author.ListWikiPagesInput,
) (m authortoolsapi.PageListModel, err error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return m, err
	}
	offset := or(in.Offset, 0)
	total, page, err := t.service.wiki.List(ctx, owner, int(offset), int(or(in.Limit, listLimit)))
	if err != nil {
		return m, err
	}
	return authortoolsapi.PageListModel{
		Total: int64(total), Offset: offset, Pages: each(page, func(p wiki.Page) authortoolsapi.PageItemModel {
			return authortoolsapi.PageItemModel{
				ID: p.ID, Title: p.Title, Revision: p.Revision, CreatedAt: when(p.CreatedAt), UpdatedAt: when(p.UpdatedAt),
			}
		}),
	}, nil
}

// ReadWikiPage implements author.Handler.
func (t wikiTools) ReadWikiPage(
	ctx context.Context, in *author.ReadWikiPageInput,
) (m authortoolsapi.PageModel, err error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return m, err
	}
	return pageTo(t.service.wiki.Read(ctx, owner, in.ID))
}

// SearchWiki implements author.Handler.
func (t wikiTools) SearchWiki(ctx context.Context, in *author.SearchWikiInput) (m authortoolsapi.HitsModel, err error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return m, err
	}
	hits, err := t.service.wiki.Search(ctx, owner, in.Query)
	if err != nil {
		return m, err
	}
	return authortoolsapi.HitsModel{Hits: each(hits, func(h wiki.Hit) authortoolsapi.HitModel {
		return authortoolsapi.HitModel{ID: h.ID, Title: h.Title, Excerpt: h.Excerpt}
	})}, nil
}

// CreateWikiPage implements author.Handler.
func (t wikiTools) CreateWikiPage(
	ctx context.Context, in *author.CreateWikiPageInput,
) (m authortoolsapi.PageModel, err error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return m, err
	}
	return pageTo(t.service.wiki.Create(ctx, owner, in.Body.ID, in.Body.Title, in.Body.Body))
}

// UpdateWikiPage implements author.Handler.
func (t wikiTools) UpdateWikiPage(
	ctx context.Context, in *author.UpdateWikiPageInput,
) (m authortoolsapi.PageModel, err error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return m, err
	}
	return pageTo(t.service.wiki.Update(
		ctx, owner, in.Body.ID, in.Body.ExpectedRevision, in.Body.Title, in.Body.Body))
}

// DeleteWikiPage implements author.Handler.
func (t wikiTools) DeleteWikiPage(ctx context.Context, in *author.DeleteWikiPageInput) (tool.None, error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return tool.None{}, err
	}
	return tool.None{}, t.service.wiki.Delete(ctx, owner, in.ID, in.ExpectedRevision)
}

// pageTo writes a page.
func pageTo(p wiki.Page, err error) (authortoolsapi.PageModel, error) {
	return authortoolsapi.PageModel{
		ID: p.ID, Title: p.Title, Body: p.Body, Revision: p.Revision,
		CreatedAt: when(p.CreatedAt), UpdatedAt: when(p.UpdatedAt),
	}, err
}
