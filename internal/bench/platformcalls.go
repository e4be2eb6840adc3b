package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/embedded"
)

// mostWorkers is how many requests there are at a time.
const mostWorkers = 8

// pageSize is how many tickets a list is asked for.
const pageSize = 50

// platformBench is what is measured: two databases of a server, each with a
// process over it.
type platformBench struct {
	few, many serving
	ends      []func()
}

// serving is a database and where it is served.
type serving struct {
	seed
	address string
}

func (b *platformBench) close() {
	for _, end := range slices.Backward(b.ends) {
		end()
	}
}

func (b *platformBench) open(ctx context.Context, stdout io.Writer) error {
	work, err := os.MkdirTemp("", "bench-platform-")
	if err != nil {
		return err
	}
	b.ends = append(b.ends, func() { _ = os.RemoveAll(work) })
	cluster, err := embedded.Scratch(ctx)
	if err != nil {
		return err
	}
	server, err := cluster.Start(ctx)
	if err != nil {
		return err
	}
	b.ends = append(b.ends, server.Stop)
	for _, s := range []*serving{&b.few, &b.many} {
		tickets := fewTickets
		if s == &b.many {
			tickets = manyTickets
		}
		begun := time.Now()
		if s.seed, err = newSeed(ctx, cluster.URL(), fmt.Sprintf("of_%d", tickets), tickets); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "platform: %d tickets made in %.1f s\n", tickets, time.Since(begun).Seconds())
		p, err := launch(ctx, role{Kind: kindPlatform, Database: s.url, Log: filepath.Join(work, fmt.Sprint(tickets))})
		if err != nil {
			return err
		}
		b.ends = append(b.ends, p.end)
		s.address = p.Address
	}
	return nil
}

// subject makes the workers of a subject.
func (b *platformBench) subject(name string, worker func(n int) (func() error, error)) (subject, error) {
	s := subject{name: name}
	for n := range mostWorkers {
		call, err := worker(n)
		if err != nil {
			return s, fmt.Errorf("%s: %w", name, err)
		}
		s.workers = append(s.workers, call)
	}
	return s, nil
}

// rows are reading one ticket and correcting one. What a request is held
// against are its own statements, of which the first finds out who asks.
func (b *platformBench) rows(ctx context.Context) ([]comparison, error) {
	c, err := pgxpool.ParseConfig(b.few.url) // as pgx comes
	if err != nil {
		return nil, err
	}
	c.MaxConns = 2 * mostWorkers
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, err
	}
	b.ends = append(b.ends, pool.Close)
	d := direct{b.few.seed, pool}
	alone := func(do func(worker, n int) error) func(int) (func() error, error) {
		return func(worker int) (func() error, error) {
			n := 0
			return func() error { n++; return do(worker, n) }, nil
		}
	}
	read, write := comparison{name: "read", levels: []int{1, mostWorkers}}, comparison{name: "write", levels: []int{1, mostWorkers}}
	for _, s := range []struct {
		of     *comparison
		name   string
		worker func(int) (func() error, error)
	}{
		{&read, "HTTP", b.reading},
		{&read, "pgx, the row", alone(func(worker, n int) error { return d.row(ctx, readFrom(worker, n)) })},
		{&read, "pgx", alone(func(worker, n int) error { return d.read(ctx, readFrom(worker, n)) })},
		{&write, "HTTP", b.writing},
		{&write, "pgx", alone(func(worker, n int) error {
			return d.write(ctx, writtenTo(worker, false), fmt.Sprint("Title ", n))
		})},
	} {
		made, err := b.subject(s.name, s.worker)
		if err != nil {
			return nil, err
		}
		s.of.subjects = append(s.of.subjects, made)
	}
	return []comparison{read, write}, nil
}

// lists are the lists of tickets, from their beginning and from their middle.
func (b *platformBench) lists() ([]comparison, error) {
	var all []comparison
	for _, l := range []struct {
		path, kind, state string
	}{
		{"/support/tickets", "tickets", ""}, {"/support/tickets", "tickets", "closed"},
		{"/support/admin/tickets", "queue", ""}, {"/support/admin/tickets", "queue", "closed"},
	} {
		for _, middle := range []bool{false, true} {
			c := comparison{name: l.path, levels: []int{1}}
			for _, s := range []*serving{&b.many, &b.few} {
				query := url.Values{"limit": {fmt.Sprint(pageSize)}}
				if l.state != "" {
					query.Set("status", l.state)
				}
				if middle {
					filters := []any{l.state}
					if l.kind == "queue" {
						filters = append(filters, "")
					}
					cursor, err := s.middle(l.kind, filters...)
					if err != nil {
						return nil, err
					}
					query.Set("cursor", cursor)
				}
				call, err := b.listing(s, l.path+"?"+query.Encode())
				if err != nil {
					return nil, err
				}
				c.subjects = append(c.subjects, subject{fmt.Sprintf("of %d", s.tickets), []func() error{call}})
			}
			if l.state != "" {
				c.name += " " + l.state
			}
			if middle {
				c.name += " (middle)"
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// readFrom is the ticket that a worker reads as its n-th.
func readFrom(worker, n int) uuid.UUID { return ticketID(2*mostWorkers + (worker+mostWorkers*n)%512) }

// writtenTo is the ticket that a worker writes to, over HTTP or directly.
func writtenTo(worker int, http bool) uuid.UUID {
	if http {
		worker += mostWorkers
	}
	return ticketID(worker)
}

// headers are those of every request with a token.
func headers(token string) string {
	return "Host: localhost\r\nAuthorization: Bearer " + token + "\r\n"
}

// dial opens a connection that sends the exchanges.
func (b *platformBench) dial(set []exchange) (*loader, error) {
	l, err := dial(b.few.address, [][]exchange{set})
	if err == nil {
		b.ends = append(b.ends, func() { _ = l.c.Close() })
	}
	return l, err
}

// reading reads tickets over a connection.
func (b *platformBench) reading(worker int) (func() error, error) {
	var set []exchange
	for n := range variety {
		id := readFrom(worker, n).String()
		request := "GET /support/tickets/" + id + " HTTP/1.1\r\n" + headers(b.few.token) + "\r\n"
		set = append(set, exchange{request: []byte(request), begins: []byte("{"), holds: []byte(id)})
	}
	l, err := b.dial(set)
	return func() error { return l.call(0) }, err
}

// writing corrects a ticket over and over, over a connection.
func (b *platformBench) writing(worker int) (func() error, error) {
	l, err := b.dial([]exchange{{begins: []byte("{"), holds: []byte(`"status":"applied"`)}})
	id, revision := writtenTo(worker, true), 0
	return func() error {
		revision++
		body := fmt.Sprintf(`{"title":"Title %d"}`, revision)
		l.sets[0][0].request = fmt.Appendf(nil, "PATCH /support/tickets/%s HTTP/1.1\r\n%sContent-Type: application/json\r\n"+
			"Idempotency-Key: %s\r\nIf-Match: %d\r\nContent-Length: %d\r\n\r\n%s",
			id, headers(b.few.token), uuid.New(), revision, len(body), body)
		return l.call(0)
	}, err
}

// listing lists tickets over a connection.
func (b *platformBench) listing(s *serving, path string) (func() error, error) {
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		return nil, err
	}
	b.ends = append(b.ends, func() { _ = c.Close() })
	r := bufio.NewReaderSize(c, 64<<10)
	request := []byte("GET " + path + " HTTP/1.1\r\n" + headers(s.token) + "\r\n")
	return func() error {
		if _, err := c.Write(request); err != nil {
			return err
		}
		reply, err := http.ReadResponse(r, nil)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(reply.Body)
		if err != nil {
			return err
		}
		if n := strings.Count(string(body), `"title":`); reply.StatusCode != http.StatusOK || n != pageSize {
			return fmt.Errorf("%s: %s with %d tickets: %.300s", path, reply.Status, n, body)
		}
		return nil
	}, nil
}
