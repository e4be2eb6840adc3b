package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/services/play"
)

// playBody is the most bytes of a request for MCP.
const playBody = 307200

// playFront is everything that is at play's address.
type playFront struct {
	service      *play.Service
	play, author *edge.Server
	gate         *edge.Gate // of both
	other        http.Handler
	tools        [2]int
}

// service makes play from its configuration, which has been checked.
func (c playConfig) service(pool *pgxpool.Pool, log *slog.Logger) *play.Service {
	proxies, _ := httpguard.ParseProxies(c.Proxies)
	return play.New(play.Config{
		Pool: pool, Log: log, Origin: c.url(), Secure: c.secure(), Hosts: c.hosts(), Proxies: proxies,
		Arrival: time.Duration(c.withDefaults().BodyTimeout),
	})
}

// newPlayFront puts the edges of both catalogs in front of a service. They share
// one admission, so that its bounds hold for both together.
func newPlayFront(c playConfig, service *play.Service, log *slog.Logger) (*playFront, error) {
	c = c.withDefaults()
	f := &playFront{service: service, other: service.Handler()}
	var noGate, noPlay, noAuthor error
	f.gate, noGate = c.gate()
	config := edge.Config{
		Listen: c.Listen, Hosts: c.hosts(), Proxies: c.Proxies,
		Body: playBody, Arrival: c.BodyTimeout, StrictText: true, Timeout: c.Deadline,
	}
	bind := func(path string, catalog tool.Catalog, o edge.Options) (*edge.Server, error) {
		config.Path = path
		o.Gate, o.Log, o.StatusErrors = f.gate, log, true
		s, err := edge.New(config, catalog, o)
		return s, asPlay(err)
	}
	players, authors := service.PlayCatalog(), service.AuthorCatalog()
	f.tools = [2]int{len(players.Operations), len(authors.Operations)}
	f.play, noPlay = bind(play.PlayPath, players, playersOf(service))
	if f.author, noAuthor = bind(play.AuthorPath, authors, authorsOf(service)); noPlay != nil {
		noAuthor = nil // the same again
	}
	if err := errors.Join(noGate, noPlay, noAuthor); err != nil {
		if f.gate != nil {
			err = errors.Join(err, f.gate.Close())
		}
		return nil, err
	}
	return f, nil
}

// gate is the admission of both catalogs. It keeps a place for as long as a
// write may go on, which a shorter deadline does not end: who is answered for by
// then still has the database at work.
func (c playConfig) gate() (*edge.Gate, error) {
	redis, err := c.redisURL()
	if err != nil {
		return nil, err
	}
	a := edge.Admission{
		CallsPerMinute: c.Admission.TokenPerMinute, CallerConcurrency: c.Admission.TokenConcurrency,
		Concurrency: c.Admission.Concurrency, AddressPerMinute: max(0, c.Admission.AddressPerMinute), RedisURL: redis,
	}
	g, err := edge.NewGate(a, max(time.Duration(c.Deadline), playDeadline))
	if err != nil {
		from := "play.redis_file"
		if c.RedisFile == "" {
			from = "REDIS_URL"
		}
		err = errors.New(strings.ReplaceAll(asPlay(err).Error(), "play.admission.redis_url", from))
	}
	return g, err
}

// asPlay says the problems of an edge by the members of play's configuration.
func asPlay(err error) error {
	ps, ok := errors.AsType[edge.Problems](err)
	if !ok {
		return err
	}
	return errors.New("play." + strings.Join(ps, "\nplay."))
}

// ServeHTTP leads a request to where its path is.
func (f *playFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case play.PlayPath:
		f.play.ServeHTTP(w, r)
	case play.AuthorPath:
		f.author.ServeHTTP(w, r)
	case "/readyz":
		if f.service.Ready(r.Context()) == nil {
			f.author.ServeHTTP(w, r) // it knows whether it stops, and looks at Redis
			return
		}
		f.other.ServeHTTP(w, r)
	default:
		f.other.ServeHTTP(w, r)
	}
}

// serve serves until ctx ends.
func (f *playFront) serve(ctx context.Context, l net.Listener) error {
	return edge.ServeTogether(ctx, l, f, f.play, f.author)
}

// announce prints what is where.
func (f *playFront) announce(w io.Writer, url string) error {
	_, err := fmt.Fprintf(w, "play: %s\nplay, MCP of a player: %s (%d tools)\nplay, MCP of authors: %s (%d tools)\n",
		url, url+play.PlayPath, f.tools[0], url+play.AuthorPath, f.tools[1])
	return err
}
