package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load is all that the workers share.
type load struct {
	address, path string
	api           *api
	next          atomic.Uint64
	calls         atomic.Int64 // that were answered
	faulty        atomic.Int64 // of these, those that ended in an error
	left          atomic.Int64 // that the caller gave up

	mu     sync.Mutex
	wrong  int
	firsts []error
}

// wrongly notes a reply that is not what it should be.
func (l *load) wrongly(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong++; len(l.firsts) < 5 {
		l.firsts = append(l.firsts, err)
	}
}

// faults are the first wrong replies and how many there were.
func (l *load) faults() []error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong == 0 {
		return nil
	}
	return append(l.firsts, fmt.Errorf("%d replies were lost or wrong", l.wrong))
}

// answerTime is how long a reply may take: longer than the edge waits for the
// API, many times over.
const answerTime = 2 * time.Minute

// work makes one call after the other until ctx ends, over a connection of its
// own.
func (l *load) work(ctx context.Context) {
	var w worker
	defer w.hangUp()
	for ctx.Err() == nil {
		n := l.next.Add(1)
		if n >= most {
			l.wrongly(errors.New("there are no numbers left"))
			return
		}
		if err := w.dial(l.address); err != nil {
			l.wrongly(err)
			return
		}
		l.call(&w, n)
	}
}

// worker is one caller with its connection.
type worker struct {
	conn net.Conn
	in   *bufio.Reader
}

func (w *worker) dial(address string) (err error) {
	if w.conn != nil {
		return nil
	}
	if w.conn, err = net.Dial("tcp", address); err == nil {
		w.in = bufio.NewReader(w.conn)
	}
	return err
}

func (w *worker) hangUp() {
	if w.conn != nil {
		_ = w.conn.Close()
	}
	w.conn = nil
}

// call makes the nth call. What kind of call it is follows from its number.
func (l *load) call(w *worker, n uint64) {
	switch (n * 0xd1342543de82ef95 >> 32) % 200 {
	case 0: // a caller that gives up
		w.send(l, n)
		pause(context.Background(), time.Duration(n%5)*time.Millisecond)
		w.hangUp()
		l.left.Add(1)
	case 1:
		l.check(w, n, "an argument that is none", "invalid_arguments", w.send(l, n, `,"x":1`))
	case 2:
		l.check(w, n, "arguments that are too large", "arguments_too_large", w.send(l, n, strings.Repeat(" ", 70<<10)))
	case 3:
		l.list(w, n)
	default:
		l.check(w, n, "", fateOf(n).code, w.send(l, n))
	}
}

// send sends a call: a read or a write, in one era or the other.
func (w *worker) send(l *load, n uint64, extra ...string) (write bool) {
	write = n%3 == 0
	name, arguments := "get_support_ticket", fmt.Sprintf(`{"path":{"id":%q}%s}`, identifier(n), strings.Join(extra, ""))
	if write {
		name = "create_support_ticket"
		arguments = fmt.Sprintf(`{"path":{"id":%q},"parameters":{"Idempotency-Key":%q,"If-Match":"\"0\""},"body":{"title":"a ticket","body":%q}%s}`,
			identifier(n), identifier(n), words, strings.Join(extra, ""))
	}
	w.post(l, n, "tools/call", name, fmt.Sprintf(`"name":%q,"arguments":%s`, name, arguments))
	return write
}

// post writes a request. That it was cut shows when the reply is read.
func (w *worker) post(l *load, n uint64, method, name, params string) {
	headers := "MCP-Protocol-Version: 2025-11-25\r\n"
	if n%2 == 0 {
		headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n"
		if name != "" {
			headers += "Mcp-Name: " + name + "\r\n"
			params += ","
		}
		params += `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, n, method, params)
	_ = w.conn.SetDeadline(time.Now().Add(answerTime))
	_, _ = fmt.Fprintf(w.conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\n%sContent-Length: %d\r\n\r\n%s", l.path, headers, len(body), body)
}

// reply is what is read of a reply.
type reply struct {
	ID     uint64 `json:"id"`
	Result struct {
		IsError    bool              `json:"isError"`
		Tools      []json.RawMessage `json:"tools"`
		Structured struct {
			Result *struct {
				ID string `json:"id"`
			} `json:"result"`
			Error *struct {
				Code    string `json:"code"`
				Unknown bool   `json:"outcome_unknown"`
			} `json:"error"`
		} `json:"structuredContent"`
	} `json:"result"`
}

// read reads the reply to the nth call, which must be its own.
func (w *worker) read(n uint64) (r reply, err error) {
	response, err := http.ReadResponse(w.in, nil)
	if err != nil {
		w.hangUp()
		return r, fmt.Errorf("call %d has no reply: %w", n, err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.Close {
		w.hangUp()
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	switch {
	case err != nil:
		return r, fmt.Errorf("call %d has a reply that is cut or none: %w", n, err)
	case response.StatusCode != http.StatusOK:
		return r, fmt.Errorf("call %d has status %d: %.300s", n, response.StatusCode, data)
	case r.ID != n:
		return r, fmt.Errorf("call %d got the reply to call %d", n, r.ID)
	}
	return r, nil
}

// check reads the reply to a call that should end with a code, or with its own
// ticket where that is "". A call that says why it must not has not arrived.
func (l *load) check(w *worker, n uint64, refused, code string, write bool) {
	r, err := w.read(n)
	got := r.Result.Structured
	switch {
	case err != nil:
	case code == "" && (got.Result == nil || r.Result.IsError):
		err = fmt.Errorf("call %d is answered without its ticket: %+v", n, got.Error)
	case code == "" && got.Result.ID != identifier(n):
		err = fmt.Errorf("call %d is answered with the ticket of another, %q", n, got.Result.ID)
	case code != "" && (got.Error == nil || got.Error.Code != code || !r.Result.IsError):
		err = fmt.Errorf("call %d is answered %+v, want %s", n, got.Error, code)
	case code != "" && got.Error.Unknown != (refused == "" && write && fateOf(n).open):
		err = fmt.Errorf("call %d, %s, leaves its outcome open: %v", n, code, got.Error.Unknown)
	case l.api.has(n) != (refused == ""):
		err = fmt.Errorf("call %d has arrived: %v; %s", n, l.api.has(n), refused)
	}
	if err != nil {
		l.wrongly(err)
		return
	}
	l.calls.Add(1)
	if code != "" {
		l.faulty.Add(1)
	}
}

// list asks for the tools.
func (l *load) list(w *worker, n uint64) {
	w.post(l, n, "tools/list", "", "")
	r, err := w.read(n)
	if err == nil && len(r.Result.Tools) == 0 {
		err = fmt.Errorf("call %d lists no tools", n)
	}
	if err != nil {
		l.wrongly(err)
		return
	}
	l.calls.Add(1)
}
