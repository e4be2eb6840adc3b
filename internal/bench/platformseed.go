package main

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// seed is a database with one operator, who has all tickets.
type seed struct {
	url     string
	tickets int
	party   uuid.UUID
	token   string
	digest  []byte // of the token
}

// firstTicket is when the first ticket was opened; one more was every second.
var firstTicket = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// ticketID is the identifier of the n-th ticket, from 0.
func ticketID(n int) uuid.UUID {
	id := uuid.UUID{6: 0x40, 8: 0x80}
	for i := 15; n > 0; i, n = i-1, n>>8 {
		id[i] = byte(n)
	}
	return id
}

// insertTickets makes tickets of a party. All are closed, so that no bound is
// on how many.
const insertTickets = `
INSERT INTO platform.ticket (id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at)
SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'Ticket ' || n, repeat('It does not work. ', 10),
    'closed', $1, 0, 0, 1, $2::timestamptz + n * interval '1 second', $2::timestamptz + n * interval '1 second'
FROM generate_series(0, $3::integer - 1) AS n`

// openTickets opens those again that are written to.
const openTickets = "UPDATE platform.ticket SET state = 'assigned' WHERE id = ANY ($1)"

// newSeed makes a database of that name on a server, with so many tickets.
func newSeed(ctx context.Context, server, name string, tickets int) (s seed, err error) {
	s = seed{tickets: tickets}
	if s.url, err = makeDatabase(ctx, server, name); err != nil {
		return s, err
	}
	if err := pg.Migrate(ctx, s.url, "platform"); err != nil {
		return s, err
	}
	return s, s.fill(ctx)
}

// makeDatabase makes an empty database and gives its URL.
func makeDatabase(ctx context.Context, server, name string) (string, error) {
	c, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
		return "", err
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

// fill makes the operator and the tickets.
func (s *seed) fill(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, s.url)
	if err != nil {
		return err
	}
	defer pool.Close()
	user, err := party.New(party.Config{Pool: pool}).AddUser(ctx, party.NewUser{
		Username: "ada", Password: "correct horse battery staple", Operator: true, AcceptPolicy: true,
		Profile: &party.Profile{DisplayName: "Ada", Email: "ada@example.org"},
	})
	if err != nil {
		return err
	}
	a, err := access.New(access.Config{Pool: pool, Catalog: catalog.Catalog()})
	if err != nil {
		return err
	}
	p := access.Principal{Party: user.Party, Operator: true, AuthVersion: user.AuthVersion}
	s.party = user.Party
	if _, s.token, err = a.CreateToken(ctx, p, "bench", a.Scopes(p), time.Now().Add(24*time.Hour)); err != nil {
		return err
	}
	if err := pool.QueryRow(ctx, "SELECT digest FROM platform.access_token").Scan(&s.digest); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, insertTickets, s.party, firstTicket, s.tickets); err != nil {
		return err
	}
	var open []uuid.UUID
	for worker := range mostWorkers {
		open = append(open, writtenTo(worker, true), writtenTo(worker, false))
	}
	if _, err := pool.Exec(ctx, openTickets, open); err != nil {
		return err
	}
	_, err = pool.Exec(ctx, "VACUUM (ANALYZE) platform.ticket")
	return err
}

// middle is the cursor of a list of tickets that goes on in its middle.
func (s *seed) middle(list string, filters ...any) (string, error) {
	one := int64(1)
	p, err := page.Of(&one, nil, page.Kind(list, filters...))
	if err != nil {
		return "", err
	}
	n := s.tickets / 2
	key := page.Key{Time: firstTicket.Add(time.Duration(n) * time.Second), ID: ticketID(n)}
	_, cursor := page.Next(p, []page.Key{key, key}, func(k page.Key) page.Key { return k })
	return *cursor, nil
}
