package pg

import (
	"context"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience is a tracer that cuts the connection of a statement whose server is
// silent: it is frozen, or the network swallows what it says. A server that can
// be heard has ended the statement long before, by its own limit. Whoever waits
// sees a connection that was lost, like any other.
type patience struct{ limit time.Duration }

// cutKey is the cut of a statement in its context.
type cutKey struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (p patience) TraceQueryStart(ctx context.Context, c *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	wire := c.PgConn().Conn()
	return context.WithValue(ctx, cutKey{}, time.AfterFunc(p.limit, func() { cut(wire) }))
}

// TraceQueryEnd implements pgx.QueryTracer.
func (patience) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if cut, ok := ctx.Value(cutKey{}).(*time.Timer); ok {
		cut.Stop()
	}
}

func cut(wire net.Conn) { _ = wire.Close() }
