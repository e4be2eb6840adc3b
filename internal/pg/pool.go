package pg

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The limits of a session, which a URL may set otherwise by their names.
const (
	lockLimit      = 2 * time.Second  // waiting for one lock
	statementLimit = 5 * time.Second  // one statement; COMMIT is not one
	idleLimit      = 10 * time.Second // doing nothing inside a transaction
	goneCheck      = time.Second      // how soon a statement ends whose client has gone
)

// connectLimit bounds making one connection.
const connectLimit = 5 * time.Second

// connections is how many a pool has at most, where the URL does not say it
// with pool_max_conns.
const connections = 16

// Pool gives a pool of connections with the limits of every session. It
// connects when it is first used.
func Pool(url string) (*pgxpool.Pool, error) {
	return poolWithin(url, transactionLimit)
}

// poolWithin is Pool with another limit of a statement that gets no answer.
func poolWithin(url string, limit time.Duration) (*pgxpool.Pool, error) {
	c, err := poolConfig(url)
	if err != nil {
		return nil, err
	}
	c.ConnConfig.Tracer = patience{limit}
	return pgxpool.NewWithConfig(context.Background(), c)
}

// Check reports what is wrong with a URL, and connects to nothing.
func Check(url string) error {
	_, err := poolConfig(url)
	return err
}

// poolConfig reads a URL. What it does not say is as for every service.
func poolConfig(url string) (*pgxpool.Config, error) {
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err) // its text has no password
	}
	if !strings.Contains(url, "pool_max_conns") {
		c.MaxConns = connections
	}
	c.AfterConnect = registerTypes
	c.PingTimeout = connectLimit
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = connectLimit
	}
	params := map[string]string{
		"application_name":                    "pharos",
		"timezone":                            "UTC",
		"lock_timeout":                        milliseconds(lockLimit),
		"statement_timeout":                   milliseconds(statementLimit),
		"idle_in_transaction_session_timeout": milliseconds(idleLimit),
		"client_connection_check_interval":    milliseconds(goneCheck),
	}
	maps.Copy(params, c.ConnConfig.RuntimeParams)
	c.ConnConfig.RuntimeParams = params
	return c, nil
}

// registerTypes is for pgxpool.Config.AfterConnect.
func registerTypes(_ context.Context, c *pgx.Conn) error {
	c.TypeMap().RegisterType(uuidType)
	c.TypeMap().RegisterType(timeType)
	return nil
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
