package chronicle

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/fold"
)

// What a search takes and gives.
const (
	MaxQuery    = 200 // characters of a query
	MaxExcerpt  = 400 // characters of an excerpt
	MaxMatches  = 10  // events
	MaxOfMemory = 3   // excerpts of the memory
	latest      = 64  // events that are looked through before the index is asked
)

// Found is what a search found.
type Found struct {
	Version int64
	Memory  []string // excerpts in their order, three at most
	Journal []Match  // the newest first, ten at most
}

// Match is an event that a search found.
type Match struct {
	Version int64
	Kind    string
	Excerpt string
}

// Search finds a text in the memory and in the journal of an assignment, or
// NotFound. Case and diacritics do not count, and every character of a query
// stands for itself. One that is blank or too long is Unprocessable.
func (s *Service) Search(ctx context.Context, id uuid.UUID, query string) (Found, error) {
	if strings.TrimSpace(query) == "" || utf8.RuneCountInString(query) > MaxQuery {
		return Found{}, fault.Newf(fault.Unprocessable, "the query has 1 to %d characters and is not blank", MaxQuery)
	}
	var found Found
	err := pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		end, err := findEnd(ctx, tx, id)
		if err != nil {
			return err
		}
		found = Found{Version: end.version, Memory: fold.Excerpts(end.memory, query, MaxExcerpt, MaxOfMemory)}
		found.Journal, err = matches(ctx, tx, id, end.total, query)
		return err
	})
	return found, err
}

// matches finds a query in the journal: in the latest events by looking through
// them, and in those before by what the index says. So what is everywhere is
// found among the latest, and the index finds what is rare.
func matches(ctx context.Context, tx DB, id uuid.UUID, total int64, query string) ([]Match, error) {
	folded := fold.Text(query)
	if folded == "" {
		return []Match{}, nil // marks alone, or what cannot be seen
	}
	if err := alongIndexes(ctx, tx); err != nil {
		return nil, err
	}
	found, err := searchNewest(ctx, tx, id, total-latest, folded)
	if err != nil {
		return nil, err
	}
	if left := MaxMatches - len(found); left > 0 && total > latest {
		older, err := searchByGrams(ctx, tx, id, total-latest, folded, left)
		if err != nil {
			return nil, err
		}
		found = append(found, older...)
	}
	out := make([]Match, len(found))
	for i, e := range found {
		out[i] = Match{e.Version, e.Kind, fold.Excerpt(fold.Join(e.Action, e.Narration, e.Summary), query, MaxExcerpt)}
	}
	return out, nil
}
