package command

import (
	"context"
	"log/slog"
	"time"
)

// sweep is how often expired receipts are looked for.
const sweep = time.Minute

// Expire forgets the receipts that no longer count, and says how many. Several
// instances may do it at the same time.
func (d *Door) Expire(ctx context.Context) (int64, error) {
	before := d.now().Add(-Kept)
	var all int64
	for {
		n, err := forget(ctx, d.pool, before)
		all += n
		if err != nil || n < batch {
			return all, err
		}
	}
}

// Run forgets expired receipts from time to time, until ctx ends. What fails
// goes to the log and is tried again.
func (d *Door) Run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(sweep)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if _, err := d.Expire(ctx); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "forgetting expired receipts", "error", err)
			}
		}
	}
}
