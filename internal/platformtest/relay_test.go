package platformtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// moment is where a relay cuts.
type moment string

// The moments of a write, in their order. What is said at one is not passed on.
const (
	committing moment = "the process asks the database to commit"
	committed  moment = "the database has committed"
	answering  moment = "the process answers"
)

// relay passes on what two programs say to each other, until they come to a
// moment of the connection on which the one that asks has said the mark.
type relay struct {
	address string // where to connect

	to   func() (net.Conn, error)
	mark []byte
	at   moment
	then func() // done at the moment, once

	came atomic.Bool
	once sync.Once
}

// start makes the relay listen until the test ends.
func (r *relay) start(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	r.address = l.Addr().String()
	go func() {
		for {
			asking, err := l.Accept()
			if err != nil {
				return
			}
			answering, err := r.to()
			if err != nil {
				_ = asking.Close()
				continue
			}
			go r.pass(asking, answering)
		}
	}()
}

// pass serves one connection.
func (r *relay) pass(asking, answering net.Conn) {
	end := func() { _, _ = asking.Close(), answering.Close() }
	var marked atomic.Bool
	go func() {
		defer end()
		r.cut(r.asked(asking, answering, &marked))
	}()
	defer end()
	r.cut(r.answered(answering, asking, &marked))
}

// errMoment is that the moment has come.
var errMoment = errors.New("the moment has come")

func (r *relay) cut(err error) {
	if errors.Is(err, errMoment) {
		r.once.Do(func() {
			r.came.Store(true)
			r.then()
		})
	}
}

// commit is the message that asks PostgreSQL to commit, done the one that it did.
var (
	commit = []byte("Q\x00\x00\x00\x0bcommit\x00")
	done   = []byte("C\x00\x00\x00\x0bCOMMIT\x00")
)

// asked passes on what is asked, and looks for the mark.
func (r *relay) asked(from io.Reader, to io.Writer, marked *atomic.Bool) error {
	var last []byte
	for {
		buffer := make([]byte, 32<<10)
		n, err := from.Read(buffer)
		last = append(last[max(0, len(last)-len(r.mark)):], buffer[:n]...)
		if bytes.Contains(last, r.mark) {
			marked.Store(true)
		}
		if r.at == committing && marked.Load() && bytes.HasSuffix(last, commit) {
			return errMoment
		}
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return err
		}
	}
}

// answered passes on what is answered: the messages of PostgreSQL one by one.
func (r *relay) answered(from io.Reader, to io.Writer, marked *atomic.Bool) error {
	in := bufio.NewReader(from)
	for {
		message, err := r.message(in)
		if err != nil {
			return err
		}
		if marked.Load() && (r.at == answering || r.at == committed && bytes.Equal(message, done)) {
			return errMoment
		}
		if _, err := to.Write(message); err != nil {
			return err
		}
	}
}

// message reads one message of PostgreSQL, which begins with its kind and its
// length, or of HTTP whatever there is.
func (r *relay) message(in *bufio.Reader) ([]byte, error) {
	if r.at == answering {
		if _, err := in.Peek(1); err != nil {
			return nil, err
		}
		message := make([]byte, in.Buffered())
		_, err := io.ReadFull(in, message)
		return message, err
	}
	head, err := in.Peek(5)
	if err != nil {
		return nil, err
	}
	message := make([]byte, 1+binary.BigEndian.Uint32(head[1:]))
	_, err = io.ReadFull(in, message)
	return message, err
}

// toDatabase lets a relay stand before a database. It gives the URL for the
// process that is to come by it.
func (r *relay) toDatabase(t *testing.T, database string) string {
	t.Helper()
	c, err := pgconn.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	network, address := pgconn.NetworkAddress(c.Host, c.Port)
	r.to = func() (net.Conn, error) { return net.Dial(network, address) }
	r.start(t)
	through := url.URL{
		Scheme: "postgres", User: url.User(c.User), Host: r.address, Path: "/" + c.Database, RawQuery: "sslmode=disable",
	}
	return through.String()
}
