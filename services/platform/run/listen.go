package run

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The channels on which transactions of this package tell what they did.
const (
	channelQueued    = "platform_run_queued"
	channelCancelled = "platform_run_cancelled" // with the run
	channelHappened  = "platform_run_event"     // with the party whose feed it is
)

// The pauses before another connection is made.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// ears are told what is heard. None of them waits.
type ears struct {
	queued    func()
	cancelled func(run uuid.UUID)
	happened  func(party uuid.UUID)
	missed    func() // something may have gone unheard
}

// listen listens on a connection of its own until ctx ends. Where the
// connection breaks it makes another, and what came meanwhile is missed: what
// depends on hearing looks by itself from time to time.
func listen(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger, to ears) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		begun, err := listenOnce(ctx, pool, to)
		if ctx.Err() != nil {
			return
		}
		log.WarnContext(ctx, "listening for runs", "error", err)
		if begun {
			pause = firstPause
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// listenOnce listens until the connection breaks, and reports whether there was
// one.
func listenOnce(ctx context.Context, pool *pgxpool.Pool, to ears) (begun bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return false, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, channel := range []string{channelQueued, channelCancelled, channelHappened} {
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			return false, err
		}
	}
	to.missed()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true, err
		}
		id, _ := uuid.Parse(n.Payload)
		switch n.Channel {
		case channelQueued:
			to.queued()
		case channelCancelled:
			to.cancelled(id)
		case channelHappened:
			to.happened(id)
		}
	}
}
