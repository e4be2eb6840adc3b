package play

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generated/author"
)

// AuthorCatalog is the tools of an author's personal token. Whoever serves it
// says with WithAuthor for whom they are called.
func (s *Service) AuthorCatalog() tool.Catalog {
	return showing(author.Catalog(authorTools{scenarioTools{s}, wikiTools{s}}))
}

// authorTools are the tools of an author.
type authorTools struct {
	scenarioTools
	wikiTools
}

var _ author.Handler = authorTools{}

var errNoAuthor = errors.New("a tool of the author catalog was called without an author")

// ownerOf is who calls. No argument says it.
func ownerOf(ctx context.Context) (uuid.UUID, error) {
	a, ok := authorOf(ctx)
	if !ok || a.ID == uuid.Nil {
		return uuid.Nil, errNoAuthor
	}
	return a.ID, nil
}

// ownScenario is who calls and the scenario that an argument names.
func ownScenario(ctx context.Context, text string) (owner, id uuid.UUID, err error) {
	if owner, err = ownerOf(ctx); err != nil {
		return owner, id, err
	}
	id, err = identifier("scenario_id", text)
	return owner, id, err
}

// How many of a list are given unless its caller says.
const listLimit = 50
