package chronicle

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
)

// MaxPage is the most entries of a page of the journal.
const MaxPage = 20

// Entry is an event of the journal: a turn with its action and narration, or
// the end with its summary.
type Entry struct {
	Version   int64
	Kind      string // turn or finish
	Action    string
	Narration string
	Summary   string
	Scene     string
	At        time.Time
}

// Journal gives a page of the journal of an assignment, the oldest first, and
// how many entries there are, or NotFound. A page has at most MaxPage entries;
// what is written later never moves them.
func (s *Service) Journal(ctx context.Context, id uuid.UUID, offset, limit int) (total int, page []Entry, err error) {
	offset, limit = max(offset, 0), min(max(limit, 1), MaxPage)
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		end, err := findEnd(ctx, tx, id)
		if err != nil {
			return err
		}
		total = int(end.total)
		page, err = entries(ctx, tx, id, int64(offset), end.total, limit)
		return err
	})
	return total, page, err
}
