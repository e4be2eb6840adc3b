package platform

import (
	"context"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	tools "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
	"github.com/pharos-mcp/pharos/services/platform/party"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
	"github.com/pharos-mcp/pharos/services/platform/project"
	"github.com/pharos-mcp/pharos/services/platform/run"
	"github.com/pharos-mcp/pharos/services/platform/sshkey"
	"github.com/pharos-mcp/pharos/services/platform/support"
)

// Config is what the platform needs.
type Config struct {
	// Pool is a database with the migrations of "platform".
	Pool *pgxpool.Pool
	// Now is the time; nil is time.Now.
	Now func() time.Time
	// Log gets one event a request and what fails beside requests; nil logs
	// nothing.
	Log *slog.Logger
	// Origin is where browsers find the API, as in "https://platform.example".
	// "" stands for plain HTTP on the loopback interface. Beside the names of
	// loopback its host is the one that a request may address.
	Origin string
	// Delegation says who speaks for people: the broker and the gateway. Nobody
	// does unless it is given.
	Delegation access.Delegation
	// Slots is how many runs this instance executes at once: 4 where it is 0,
	// none where it is less.
	Slots int
}

// access is the part of it that says who may call.
func (c Config) access() access.Config {
	return access.Config{Pool: c.Pool, Now: c.Now, Catalog: tools.Catalog(), Origin: c.Origin, Delegation: c.Delegation}
}

// Check reports what is wrong with it, before there is a database.
func (c Config) Check() error {
	_, err := access.New(c.access())
	return err
}

// hosts are the names that a request may address beside those of loopback.
func (c Config) hosts() []string {
	origin, err := url.Parse(c.Origin)
	if err != nil || origin.Host == "" {
		return nil
	}
	return []string{origin.Hostname()}
}

// Service is one instance of the platform. It is safe for concurrent use.
type Service struct {
	config   Config
	access   *access.Service
	door     *command.Door
	runs     *run.Runs
	handlers handlers
	stopping atomic.Bool
}

// New puts an instance together. It works with Handler alone; Run does what
// must be done beside requests.
func New(c Config) (*Service, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{config: c, door: command.NewDoor(c.Pool, c.Now)}
	var err error
	if s.access, err = access.New(c.access()); err != nil {
		return nil, err
	}
	s.runs = run.New(run.Config{
		Pool: c.Pool, Door: s.door, Log: c.Log, Now: c.Now, Executor: run.ExecutorConfig{Slots: c.Slots},
	})
	s.handlers = handlers{
		Sessions:    access.Sessions{Service: s.access},
		Parties:     party.Parties{Service: party.New(party.Config{Pool: c.Pool, Now: c.Now, Door: s.door, Access: s.access})},
		Projects:    project.New(c.Pool, s.door, c.Now),
		Desk:        support.New(c.Pool, s.door),
		Keys:        sshkey.New(c.Pool, s.door),
		Pipelines:   pipeline.New(c.Pool, s.door),
		Runs:        s.runs,
		Queues:      hpc.New(c.Pool, c.Now),
		diagnostics: diagnostics{c.Pool, &s.stopping},
	}
	return s, nil
}

// Run does what goes on beside requests until ctx ends, and then returns when
// all of it has ended. From then on the instance is not ready, and the streams
// that it serves end. It is called once.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { s.door.Run(ctx, s.config.Log) })
	all.Go(func() { s.runs.Run(ctx) })
	<-ctx.Done()
	s.stopping.Store(true)
	all.Wait()
}
