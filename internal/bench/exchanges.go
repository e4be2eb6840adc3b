package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// operations are those that are measured, in the order of every loader's
// exchanges.
var operations = []string{"get", "post"}

// variety is how many different exchanges a connection has.
const variety = 16

// petID is different in each exchange of each connection.
func petID(connection, i int) string { return fmt.Sprintf("pet-%06d", variety*connection+i) }

func newPet(id string) string {
	return `{"name":"` + id + `","species":"cat","weight":4.25,"tags":["calm","indoors","old"]}`
}

// plain are the exchanges with the API itself.
func plain(connection int) ([][]exchange, error) {
	var get, post []exchange
	for i := range variety {
		id := petID(connection, i)
		x := exchange{begins: []byte(`{"id":"` + id), holds: []byte(`"species":"cat"`)}
		x.request = fmt.Appendf(nil, "GET /pets/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", id)
		get = append(get, x)
		x.request = message("/pets", "", newPet(id))
		post = append(post, x)
	}
	return [][]exchange{get, post}, nil
}

// caller is how a client calls tools.
type caller struct {
	era   string
	token string // "" sends none
	// session makes every connection begin one.
	session bool
}

// The eras of the protocol.
const (
	withHandshake    = "2025-11-25"
	withoutHandshake = "2026-07-28"
)

// exchangesAt are the exchanges with an MCP server.
func (c caller) exchangesAt(address string) func(int) ([][]exchange, error) {
	return func(connection int) ([][]exchange, error) {
		headers := c.headers()
		if c.session {
			session, err := handshake(address)
			if err != nil {
				return nil, err
			}
			headers += "Mcp-Session-Id: " + session + "\r\n"
		}
		var get, post []exchange
		for i := range variety {
			id := petID(connection, i)
			n := variety*connection + i + 1
			x := exchange{begins: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":`, n), holds: []byte(id)}
			x.request = c.request(headers, n, "tools/call", "get_pet", `{"path":{"id":"`+id+`"}}`)
			get = append(get, x)
			x.request = c.request(headers, n, "tools/call", "create_pet", `{"body":`+newPet(id)+`}`)
			post = append(post, x)
		}
		return [][]exchange{get, post}, nil
	}
}

func (c caller) headers() string {
	h := "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: " + c.era + "\r\n"
	if c.token != "" {
		h += "Authorization: Bearer " + c.token + "\r\n"
	}
	return h
}

// request is one message of MCP over HTTP; tool is empty for other methods than
// tools/call.
func (c caller) request(headers string, id int, method, tool, arguments string) []byte {
	var params []string
	if tool != "" {
		params = append(params, `"name":"`+tool+`","arguments":`+arguments)
	}
	if c.era == withoutHandshake {
		headers += "Mcp-Method: " + method + "\r\n"
		if tool != "" {
			headers += "Mcp-Name: " + tool + "\r\n"
		}
		params = append(params, `"_meta":{"io.modelcontextprotocol/protocolVersion":"`+c.era+
			`","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},`+
			`"io.modelcontextprotocol/clientCapabilities":{}}`)
	}
	return message("/mcp", headers, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s}}`,
		id, method, strings.Join(params, ",")))
}

// message is one POST of JSON.
func message(path, headers, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s",
		path, headers, len(body), body)
}

// handshake begins a session and returns its id.
func handshake(address string) (string, error) {
	session, err := send(address, "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+withHandshake+
		`","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	if err != nil {
		return "", err
	}
	_, err = send(address, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return session, err
}

func send(address, session, body string) (string, error) {
	r, err := http.NewRequest(http.MethodPost, "http://"+address+"/mcp", bytes.NewReader([]byte(body)))
	if err != nil {
		return "", err
	}
	r.Header["Content-Type"] = jsonType
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = reply.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 1<<10))
	if err != nil || reply.StatusCode >= 300 {
		return "", fmt.Errorf("the handshake was answered with %s: %s", reply.Status, text)
	}
	return reply.Header.Get("Mcp-Session-Id"), nil
}
