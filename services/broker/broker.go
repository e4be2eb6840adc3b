package broker

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Broker is the authorization server. It is safe for concurrent use, and
// several of them may share a database.
type Broker struct {
	config    Config
	store     store
	upstream  *upstream
	identity  *identities
	documents *documents
	log       *slog.Logger
	now       func() time.Time
	arrival   time.Duration
	metadata  []byte // JSON, as it is served
	jwks      []byte
}

// Options are what a broker works with beside its configuration.
type Options struct {
	Log      *slog.Logger     // nil logs nothing
	Now      func() time.Time // nil is time.Now
	Resolver *net.Resolver    // of clients' metadata documents; nil is the system's
	Arrival  time.Duration    // for a request's body; 0 is 10 s
}

// New makes a broker over a database with the migrations of queries/broker. It
// reaches the upstream provider only when somebody logs in, so that neither
// has to start first. Its error lists every mistake of the configuration.
func New(c Config, pool *pgxpool.Pool, o Options) (*Broker, error) {
	if problems := c.Check(); len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "\n"))
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Arrival == 0 {
		o.Arrival = arrivalTime
	}
	jwks, err := c.Signer.Keys().JWKS()
	if err != nil {
		return nil, err
	}
	metadata, err := metadataOf(c)
	if err != nil {
		return nil, err
	}
	return &Broker{
		config: c, store: store{pool}, log: o.Log, now: o.Now, arrival: o.Arrival, metadata: metadata, jwks: jwks,
		upstream:  newUpstream(c, o.Now),
		identity:  newIdentities(c, o.Now),
		documents: newDocuments(c, o),
	}, nil
}

// Run forgets what has expired, every minute, until ctx ends. Any number of
// instances may do so.
func (b *Broker) Run(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		if err := b.Forget(ctx); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "forgetting what has expired", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Forget removes once what has expired and what nobody used.
func (b *Broker) Forget(ctx context.Context) error { return b.store.forget(ctx, b.now()) }
