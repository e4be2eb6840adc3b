package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

// role is what one process of the benchmark serves. Each serves alone, so that
// what a process takes is what its role takes.
type role struct {
	Kind     string
	Upstream string `json:",omitempty"` // URL of the API
	Token    string `json:",omitempty"` // file with the token of callers
	Log      string `json:",omitempty"` // file for log events
	// With a broker's callers, and assertions in their names:
	BrokerKeys string `json:",omitempty"` // file with the broker's public keys
	GatewayKey string `json:",omitempty"` // file with the gateway's private key
	Tools      string `json:",omitempty"` // file with the operations of a catalog
	Schemas    string `json:",omitempty"` // folder with its schemas
	Reply      string `json:",omitempty"` // file with the body of every reply
	Database   string `json:",omitempty"` // URL of the platform's database
}

// The kinds of roles.
const (
	kindUpstream  = "upstream"  // the API itself
	kindProxy     = "proxy"     // a plain reverse proxy, the least that one more hop costs
	kindStateful  = "stateful"  // a tool written for the SDK, with sessions
	kindStateless = "stateless" // the same without
	kindEdge      = "edge"      // a generated catalog behind the edge
	kindTools     = "tools"     // a catalog of many tools behind the edge
	kindReply     = "reply"     // a handler that writes the same bytes every time
	kindPlatform  = "platform"  // the platform's API
	kindStart     = "start"     // no server: makes that edge, and ends
	kindScan      = "scan"      // no server: reads and scans the same schemas
)

// started is what a process says when it serves.
type started struct {
	Address string // of the server
	Usage   string // of what tells usage
}

// play is the whole life of a process with a role, until its input ends.
func (o role) play(stdin io.Reader, stdout io.Writer) error {
	switch o.Kind {
	case kindStart, kindScan:
		return o.start(stdout)
	}
	serve, address, err := o.server()
	if err != nil {
		return err
	}
	told, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(told, http.HandlerFunc(tellUsage)) }()
	if err := json.NewEncoder(stdout).Encode(started{address, told.Addr().String()}); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, stdin) // it ends with the process that started this one
		stop()
	}()
	return serve(ctx)
}

// server makes what serves until its context ends, and says where.
func (o role) server() (serve func(context.Context) error, address string, err error) {
	var h http.Handler
	switch o.Kind {
	case kindEdge, kindTools:
		return o.edge()
	case kindPlatform:
		return o.platform()
	case kindUpstream:
		h = api()
	case kindProxy:
		h, err = proxy(o.Upstream)
	case kindStateful, kindStateless:
		h = bare(o.Upstream, o.Kind == kindStateless)
	case kindReply:
		h, err = sameReply(o.Reply)
	default:
		err = fmt.Errorf("there is no role %q", o.Kind)
	}
	if err != nil {
		return nil, "", err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	server := &http.Server{Handler: h}
	return func(ctx context.Context) error {
		defer context.AfterFunc(ctx, func() { _ = server.Close() })()
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}, l.Addr().String(), nil
}

// sameReply is a handler that does nothing but write a file's bytes.
func sameReply(file string) (http.Handler, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	length := []string{fmt.Sprint(len(data))}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h := w.Header()
		h["Content-Type"], h["Content-Length"] = jsonType, length
		_, _ = w.Write(data)
	}), nil
}
