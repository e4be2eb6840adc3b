package worldtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// fate is what becomes of a connection that commits.
type fate int64

// The fates of a connection.
const (
	whole  fate = iota
	before      // it is cut before the server hears of the COMMIT
	after       // it is cut when the server has committed, before the reply
	silent      // the reply never comes, and nothing is cut
)

// relay passes on what a process and its database say to each other.
type relay struct {
	url string // of the database, by way of it

	network, to string // of the database itself
	decide      func() fate
	cut         [silent + 1]atomic.Int64
}

// newRelay stands before a database until the test ends. What becomes of a
// connection is decided at every COMMIT.
func newRelay(t testing.TB, database string, decide func() fate) *relay {
	t.Helper()
	c, err := pgconn.ParseConfig(database)
	ok(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	t.Cleanup(func() { _ = l.Close() })
	by := url.URL{
		Scheme: "postgres", User: url.User(c.User), Host: l.Addr().String(), Path: "/" + c.Database, RawQuery: "sslmode=disable",
	}
	r := &relay{url: by.String(), decide: decide}
	r.network, r.to = pgconn.NetworkAddress(c.Host, c.Port)
	go func() {
		for {
			asking, err := l.Accept()
			if err != nil {
				return
			}
			go r.pass(asking)
		}
	}()
	return r
}

// pass serves one connection.
func (r *relay) pass(asking net.Conn) {
	defer func() { _ = asking.Close() }()
	answering, err := net.Dial(r.network, r.to)
	if err != nil {
		return
	}
	defer func() { _ = answering.Close() }()
	var next atomic.Int64 // the fate of the commit that is under way
	go func() {
		r.asked(asking, answering, &next)
		_, _ = asking.Close(), answering.Close()
	}()
	r.answered(answering, asking, &next)
}

// What asks PostgreSQL to commit, and what says that it did.
var (
	commit    = []byte("Q\x00\x00\x00\x0bcommit\x00")
	committed = []byte("C\x00\x00\x00\x0bCOMMIT\x00")
)

// asked passes on what is asked, and looks for commits.
func (r *relay) asked(from io.Reader, to io.Writer, next *atomic.Int64) {
	for buffer := make([]byte, 32<<10); ; {
		n, err := from.Read(buffer)
		if bytes.HasSuffix(buffer[:n], commit) {
			f := r.decide()
			r.cut[f].Add(1)
			if f == before {
				return
			}
			next.Store(int64(f))
		}
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}

// answered passes on what is answered, message by message: each begins with its
// kind and its length.
func (r *relay) answered(from io.Reader, to io.Writer, next *atomic.Int64) {
	in := bufio.NewReader(from)
	for {
		head, err := in.Peek(5)
		if err != nil {
			return
		}
		message := make([]byte, 1+binary.BigEndian.Uint32(head[1:]))
		if _, err := io.ReadFull(in, message); err != nil {
			return
		}
		if f := fate(next.Load()); f != whole && bytes.Equal(message, committed) {
			if f == silent {
				_, _ = io.Copy(io.Discard, in) // until the process gives it up
			}
			return
		}
		if _, err := to.Write(message); err != nil {
			return
		}
	}
}
