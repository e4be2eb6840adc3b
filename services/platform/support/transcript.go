package support

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
)

// transcript writes a ticket and its comments as one text.
func (d *Desk) transcript(ctx context.Context, id uuid.UUID) (text string, err error) {
	err = pg.Read(ctx, d.pool, func(ctx context.Context, tx pgx.Tx) error {
		t, err := d.get(ctx, tx, id)
		if err != nil {
			return err
		}
		comments, err := said(ctx, tx, id, 0, maxComments)
		if err != nil {
			return err
		}
		text = written(t, comments)
		return nil
	})
	return text, err
}

func written(t Ticket, comments []Comment) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, revision %d, since %s\n\n%s\n",
		t.Title, t.State, t.Revision, t.CreatedAt.Format(time.RFC3339), t.Body)
	for _, c := range comments {
		by := "requester"
		if c.Author != t.Requester {
			by = "operator"
		}
		fmt.Fprintf(&b, "\n#%d by the %s at %s\n%s\n", c.Number, by, c.CreatedAt.Format(time.RFC3339), c.Body)
	}
	return b.String()
}
