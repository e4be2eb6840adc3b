package main

import (
	"bytes"
	"context"
	"net"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// proxy stands between a process and a database, and gives the URL to it. When
// a transaction is committed in which a statement was prepared, it calls then
// and hands nothing more on.
func proxy(t *testing.T, database, statement string, then func()) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	network, address := "tcp", u.Host
	if folder := query.Get("host"); folder != "" {
		network, address = "unix", filepath.Join(folder, ".s.PGSQL."+query.Get("port"))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(context.Background(), network, address)
			if err != nil {
				_ = client.Close()
				continue
			}
			go relay(client, server, statement, then)
		}
	}()
	host, port, _ := net.SplitHostPort(l.Addr().String())
	query.Set("host", host)
	query.Set("port", port)
	query.Set("sslmode", "disable")
	u.Host, u.RawQuery = "", query.Encode()
	return u.String()
}

// relay hands on what a client and a server say.
func relay(client, server net.Conn, statement string, then func()) {
	defer func() { _, _ = client.Close(), server.Close() }()
	var prepared, committed atomic.Bool
	go func() {
		defer func() { _ = server.Close() }()
		b := make([]byte, 64<<10)
		for {
			n, err := client.Read(b)
			if err != nil {
				return
			}
			if bytes.Contains(b[:n], []byte(statement)) {
				prepared.Store(true)
			}
			if prepared.Load() && bytes.Contains(b[:n], []byte("Q\x00\x00\x00\x0bcommit\x00")) {
				committed.Store(true)
			}
			if _, err := server.Write(b[:n]); err != nil {
				return
			}
		}
	}()
	b := make([]byte, 64<<10)
	for {
		n, err := server.Read(b)
		if err != nil {
			return
		}
		if committed.Load() {
			then() // the server has replied to the commit
			return
		}
		if _, err := client.Write(b[:n]); err != nil {
			return
		}
	}
}
