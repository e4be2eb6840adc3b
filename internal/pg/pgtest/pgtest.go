// Package pgtest gives tests a real PostgreSQL: a database each, migrated and
// seen by nobody else, or a server each where the test stops it.
//
// The databases of one test binary are on a server that the binary starts and
// that ends with it; PHAROS_TEST_DATABASE_URL names another one to use, whose
// role may create databases.
package pgtest

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
)

// patience bounds all that is done for a test before it starts.
const patience = 2 * time.Minute

// Database gives a pool over a database of its own, with the schemas of owners
// as their migrations leave them. It is gone after the test.
func Database(t testing.TB, owners ...string) *pgxpool.Pool {
	t.Helper()
	return Pool(t, URL(t, owners...))
}

// URL is that of a database as Database makes it, for a test whose programs
// connect by themselves.
func URL(t testing.TB, owners ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	template, err := s.template(ctx, owners)
	if err != nil {
		t.Fatal(err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	if err := s.create(ctx, name, template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.drop(name); err != nil {
			t.Error(err)
		}
	})
	return s.at(name)
}

// Pool gives a pool over the database at a URL until the test ends.
func Pool(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pg.Pool(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// withDatabase is a URL with another database's name.
func withDatabase(of *url.URL, name string) string {
	u := *of
	u.Path = "/" + name
	return u.String()
}
