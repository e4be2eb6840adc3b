package wiretest

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// stutter serves a connection and sends every reply twice.
func stutter(c net.Conn) {
	defer func() { _ = c.Close() }()
	for in := bufio.NewReader(c); ; {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		id := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		status := "200 OK"
		if r.Method == http.MethodPost {
			var given struct {
				Title string `json:"title"`
			}
			_ = json.Unmarshal(body, &given)
			id, status = given.Title, "201 Created"
		}
		reply := thing(id, nil)
		reply = fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(reply), reply)
		if _, err := io.WriteString(c, reply+reply); err != nil {
			return
		}
	}
}

// TestTwice lets an upstream send every reply twice. What comes after a reply
// must never be taken for the reply to the next call on that connection, which
// is another caller's, and it must not cost that call.
//
// clause: E-18, E-56
func TestTwice(t *testing.T) {
	t.Parallel()
	c := newCounter(t, true) // for its certificate
	for name, secure := range map[string]bool{"plain": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			config := tool.UpstreamConfig{BaseURL: "http://" + l.Addr().String()}
			if secure {
				l = tls.NewListener(l, &tls.Config{Certificates: c.TLS.Certificates, NextProtos: []string{"http/1.1"}})
				config.BaseURL = "https://" + l.Addr().String()
				config.TLS = c.Client().Transport.(*http.Transport).TLSClientConfig
			}
			t.Cleanup(func() { _ = l.Close() })
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					go stutter(c)
				}
			}()
			x, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"wire": config})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(x.Close)
			server := newEdge(t, nil, edge.Config{Admission: edge.Admission{CallsPerMinute: -1}}, edge.Options{Exchange: x})
			var wait sync.WaitGroup
			for worker := range 24 {
				session := connect(t, server, eras[worker%2], fmt.Sprint("caller", worker))
				wait.Go(func() {
					for n := range 60 {
						id := fmt.Sprintf("%d-%d", worker, n)
						name, arguments := asked(n%2, id)
						got, err := call(t, session, name, arguments)
						if want := fmt.Sprintf("%d {\"id\":%q}", 200+n%2, id); err != nil || got.String() != want {
							t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
						}
					}
				})
			}
			wait.Wait()
		})
	}
}
