package broker

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
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
	jwks      []byte
}

// Options are what a broker works with beside its configuration.
type Options struct {
	Log *slog.Logger     // nil logs nothing
	Now func() time.Time // nil is time.Now
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
	jwks, err := c.Signer.Keys().JWKS()
	if err != nil {
		return nil, err
	}
	return &Broker{
		config: c, store: store{pool}, log: o.Log, now: o.Now, jwks: jwks,
		upstream:  newUpstream(c, o.Now),
		identity:  newIdentities(c, o.Now),
		documents: newDocuments(c, o.Now),
	}, nil
}

// Run forgets what has expired, every minute, until ctx ends. Any number of
// instances may do so.
func (b *Broker) Run(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		if err := b.store.forget(ctx, b.now()); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "forgetting what has expired", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// maxBody bounds a request to the broker, in bytes.
const maxBody = 64 << 10

// Handler serves the broker's pages and endpoints.
func (b *Broker) Handler() http.Handler {
	mux := http.NewServeMux()
	metadata := document(b.metadata())
	for _, path := range []string{
		"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
		// What clients ask that put the path of the resource behind it.
		"/.well-known/oauth-authorization-server/mcp", "/.well-known/openid-configuration/mcp", "/mcp/.well-known/openid-configuration",
	} {
		mux.Handle(path, shared(metadata, http.MethodGet))
	}
	mux.Handle("/jwks", shared(b.keys, http.MethodGet))
	mux.Handle("/token", shared(b.token, http.MethodPost))
	mux.Handle("/revoke", shared(b.revoke, http.MethodPost))
	if !b.config.Closed {
		mux.Handle("/register", shared(b.register, http.MethodPost))
	}
	mux.HandleFunc("GET /authorize", b.authorize)
	mux.HandleFunc("POST /authorize", b.authorize)
	mux.HandleFunc("POST /consent", b.consent)
	mux.HandleFunc("GET /callback", b.callback)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	})
}

func (b *Broker) keys(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(b.jwks)
}

// shared lets scripts of any origin use an endpoint, which needs no cookie and
// sends none, and answers their preflight requests.
func shared(next http.HandlerFunc, method string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		switch {
		case r.Method == http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", method)
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version")
			h.Set("Access-Control-Max-Age", "3600")
			w.WriteHeader(http.StatusNoContent)
		case r.Method == method, r.Method == http.MethodHead && method == http.MethodGet:
			next(w, r)
		default:
			h.Set("Allow", method+", OPTIONS")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		}
	})
}
