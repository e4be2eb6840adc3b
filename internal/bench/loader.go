package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// exchange is one request, ready to be sent, and what its reply must show: how
// the body begins, and what it holds.
type exchange struct {
	request []byte
	begins  []byte
	holds   []byte
}

// loader sends requests over one connection, one after the other, and does as
// little as it can with the replies: it reads the length and looks whether the
// reply is that of the request.
type loader struct {
	c    net.Conn
	r    *bufio.Reader
	sets [][]exchange // by operation
	next int
}

// wait bounds how long any reply may take.
const wait = 30 * time.Second

func dial(address string, sets [][]exchange) (*loader, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &loader{c: c, r: bufio.NewReaderSize(c, 64<<10), sets: sets}, nil
}

// call performs the next exchange of an operation.
func (l *loader) call(operation int) error {
	set := l.sets[operation]
	l.next++
	x := &set[l.next%len(set)]
	if _, err := l.c.Write(x.request); err != nil {
		return err
	}
	length, err := head(l.r)
	if err != nil {
		return err
	}
	look := min(length, l.r.Size())
	body, err := l.r.Peek(look)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(body, x.begins) || !bytes.Contains(body, x.holds) {
		return fmt.Errorf("%q is not the reply to %q", body[:min(look, 512)], x.request)
	}
	_, err = l.r.Discard(length)
	return err
}

var (
	success       = []byte("HTTP/1.1 20")
	contentLength = []byte("Content-Length: ")
	errNoLength   = errors.New("a reply has no Content-Length")
)

// head reads the head of a reply, which must be a success, and returns the
// length of its body.
func head(r *bufio.Reader) (length int, err error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(line, success) {
		rest, _ := r.Peek(min(r.Buffered(), 512))
		return 0, fmt.Errorf("the reply is %q%q", line, rest)
	}
	length = -1
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) == len("\r\n") {
			break
		}
		if value, found := bytes.CutPrefix(line, contentLength); found {
			length = 0
			for _, c := range bytes.TrimSpace(value) {
				length = 10*length + int(c-'0')
			}
		}
	}
	if length < 0 {
		return 0, errNoLength
	}
	return length, nil
}

// load calls an operation over each of the connections for a time, and returns
// how long every call took.
func load(connections []*loader, operation int, length time.Duration) ([]time.Duration, error) {
	until := time.Now().Add(length + wait)
	workers := make([]func() error, len(connections))
	for i, l := range connections {
		_ = l.c.SetDeadline(until)
		workers[i] = func() error { return l.call(operation) }
	}
	all, err := drive(workers, length)
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("the connection ended: %w", err)
	}
	return all, err
}
