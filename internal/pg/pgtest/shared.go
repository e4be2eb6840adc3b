package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/embedded"
)

// serverVariable names the environment variable with the URL of a server to
// make the databases on.
const serverVariable = "PHAROS_TEST_DATABASE_URL"

// careless is a setting for one whose data nobody needs when it is killed.
const careless = "synchronous_commit=off"

// server is where the databases of this test binary are.
type server struct {
	url  *url.URL
	own  bool
	pool *pgxpool.Pool // to its own database, to make others

	mu        sync.Mutex
	templates map[string]func() (string, error) // by the names of owners
}

// shared starts the server of this test binary, or connects to the named one.
var shared = sync.OnceValues(func() (*server, error) {
	at := os.Getenv(serverVariable)
	own := at == ""
	if own {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		c, err := embedded.Scratch(ctx, careless)
		if err != nil {
			return nil, err
		}
		if _, err := c.Start(ctx); err != nil { // it ends with this process
			return nil, err
		}
		at = c.URL()
	}
	u, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(at)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 4
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, err
	}
	return &server{url: u, own: own, pool: pool, templates: map[string]func() (string, error){}}, nil
})

func (s *server) at(database string) string { return withDatabase(s.url, database) }

// template gives the name of a migrated database to copy.
func (s *server) template(ctx context.Context, owners []string) (string, error) {
	key := strings.Join(slices.Sorted(slices.Values(owners)), "_")
	s.mu.Lock()
	make, known := s.templates[key]
	if !known {
		make = sync.OnceValues(func() (string, error) { return s.migrated(context.WithoutCancel(ctx), key, owners) })
		s.templates[key] = make
	}
	s.mu.Unlock()
	return make()
}

// migrated makes a database and migrates it. Its name is this process's, since
// another binary of tests may have other migrations.
func (s *server) migrated(ctx context.Context, key string, owners []string) (string, error) {
	name := fmt.Sprintf("template_%d_%s", os.Getpid(), key)
	if _, err := s.pool.Exec(ctx, "DROP DATABASE IF EXISTS "+quote(name)); err != nil {
		return "", err
	}
	if err := s.create(ctx, name, "template0"); err != nil {
		return "", err
	}
	if len(owners) > 0 {
		if err := pg.Migrate(ctx, s.at(name), owners...); err != nil {
			return "", err
		}
	}
	return name, nil
}

// create copies a database, file by file: with what a test's database holds
// that is sooner done than through the log.
func (s *server) create(ctx context.Context, name, template string) error {
	_, err := s.pool.Exec(ctx, "CREATE DATABASE "+quote(name)+" TEMPLATE "+quote(template)+" STRATEGY file_copy")
	return err
}

// drop removes a database whatever is connected to it. PostgreSQL waits 100 ms
// for a connection that has just been closed; on the own server nobody waits
// for that.
func (s *server) drop(name string) error {
	drop := func() error {
		_, err := s.pool.Exec(context.Background(), "DROP DATABASE "+quote(name)+" WITH (FORCE)")
		return err
	}
	if s.own {
		go drop() // what is left goes with the server
		return nil
	}
	return drop()
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
