package worldtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/embedded"
)

// careful are the settings of a server that loses nothing it has confirmed, as
// an owner's has them.
var careful = []string{"fsync=on", "synchronous_commit=on", "full_page_writes=on"}

// patience bounds what is waited for.
const patience = time.Minute

// durable is a database on a server that ends with this process. The journals of
// all worlds are in it: none finds what is another's.
var durable = sync.OnceValues(func() (url string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := embedded.Scratch(ctx, careful...)
	if err != nil {
		return "", err
	}
	if _, err := c.Start(ctx); err != nil {
		return "", err
	}
	return c.URL(), pg.Migrate(ctx, c.URL(), "world")
})

// database is the URL of the durable database.
func database(t testing.TB) string {
	t.Helper()
	url, err := durable()
	ok(t, err)
	return url
}

// poolAt gives a pool over a database until the test ends.
func poolAt(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pg.Pool(url)
	ok(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// buried returns when no connection of a program that was killed is left: what it
// committed last may still be on its way.
func buried(t testing.TB, pool *pgxpool.Pool, program string) {
	t.Helper()
	for left := -1; left != 0; {
		const count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1"
		ok(t, pool.QueryRow(t.Context(), count, program).Scan(&left))
	}
}

// own is a server of one test, which may kill it and start it again.
type own struct {
	url     string
	cluster embedded.Cluster
	process *embedded.Process
}

// newOwn starts a careful server whose data are in a folder, and stops it when
// the test ends.
func newOwn(t testing.TB, folder string, settings ...string) *own {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	binaries, err := embedded.Find(0)
	ok(t, err)
	socket, err := os.MkdirTemp("", "pg") // short enough for a socket
	ok(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(socket) })
	c := embedded.Cluster{
		Binaries: binaries, Folder: filepath.Join(folder, "pg"), Socket: socket, Scratch: true,
		Settings: append(append([]string{"shared_buffers=32MB", "min_wal_size=2MB", "max_wal_size=4MB"}, careful...), settings...),
	}
	ok(t, os.MkdirAll(c.Folder, 0o755))
	ok(t, c.Init(ctx))
	c.Scratch = false // it is started again over the same data
	o := &own{url: c.URL(), cluster: c}
	t.Cleanup(o.kill)
	ok(t, o.start(ctx))
	ok(t, pg.Migrate(ctx, o.url, "world"))
	return o
}

func (o *own) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p, err := o.cluster.Start(ctx)
	if err == nil {
		o.process = p
	}
	return err
}

// kill ends it as a loss of power would.
func (o *own) kill() {
	if o.process != nil {
		o.process.Kill()
		o.process = nil
	}
}

// TestCareful: the databases of these tests confirm nothing that they may lose.
//
// clause: W-24
func TestCareful(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		var value string
		if err := poolAt(t, database(t)).QueryRow(t.Context(), "SHOW "+name).Scan(&value); err != nil || value != "on" {
			t.Errorf("%s is %q, %v", name, value, err)
		}
	}
}
