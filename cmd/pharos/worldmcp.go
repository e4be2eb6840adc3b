package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/services/world"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
)

// openedWorldMCP is the world's MCP server with its listener.
type openedWorldMCP struct {
	config   config
	listener net.Listener // nil over stdio
	front    *edge.Server
	exchange *tool.Upstream
}

// openWorldMCP opens the listener of the world's MCP server, or its streams.
func (a *assembly) openWorldMCP() (err error) {
	var l net.Listener
	defer func() {
		if err != nil && l != nil {
			_ = l.Close()
		}
	}()
	file, err := a.config.worldKeyFile()
	if err != nil {
		return err
	}
	agent, err := worldkey.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("world_mcp.key_file: there is no %s; pharos serve world makes it", file)
	}
	if err != nil {
		return fmt.Errorf("world_mcp.key_file: %w", err)
	}
	streams := a.client != nil && a.serves("world-mcp")
	if !streams {
		if l, err = listen("world_mcp.listen", a.config.WorldMCP.Listen, true); err != nil {
			return err
		}
		a.config.WorldMCP.Listen = l.Addr().String()
	}
	m := &openedWorldMCP{config: a.config, listener: l}
	if m.front, m.exchange, err = newWorldMCPFront(a.config.worldMCP(), file, agent, streams, a.log); err != nil {
		return err
	}
	s := service{listener: l, announce: m.announce, run: m.front.Serve, close: m.exchange.Close}
	if streams {
		s.announce = silent
		s.run = func(ctx context.Context, _ net.Listener) error {
			return m.front.ServeStdio(ctx, a.client.in, a.client.out)
		}
	}
	a.services = append(a.services, s)
	return nil
}

// worldReply bounds a reply of the RPC: a picture, and what stands around it.
const worldReply = worker.MaxImage + 2<<20

// newWorldMCPFront makes the MCP server over the RPC. Over HTTP a client shows the
// key that is in the file.
func newWorldMCPFront(
	c worldMCPConfig, keyFile, agent string, stdio bool, log *slog.Logger,
) (*edge.Server, *tool.Upstream, error) {
	x, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"world": {
		BaseURL: c.RPC, Timeout: worldRPCTime, Reply: worldReply,
		Apply: func(_ context.Context, r *http.Request, _ *tool.Operation) error {
			r.Header.Set("Authorization", "Bearer "+agent)
			return nil
		},
	}})
	if err != nil {
		return nil, nil, fmt.Errorf("world_mcp.rpc: %w", err)
	}
	offer := newWorldOffer(c, x)
	config := edge.Config{
		Listen: c.Listen, StrictText: true, Timeout: edge.Duration(worldMCPTime),
		Authentication: edge.Authentication{TokenFile: keyFile},
	}
	if stdio {
		config = config.ForStdio()
	}
	s, err := edge.New(config, catalog.Remote(), edge.Options{
		Exchange: x, Inject: offer.inject, Scopes: offer.scopes, Instructions: world.Instructions, Unknown: world.Unknown,
		Pictures:     map[string]edge.Picture{"camera_capture": {Data: "imageBase64", MediaType: "mimeType"}},
		ErrorObjects: true, ErrorCodes: world.RemoteCodes, Log: log,
	})
	if ps, ok := errors.AsType[edge.Problems](err); ok {
		err = errors.New("world_mcp." + strings.Join(ps, "\nworld_mcp."))
	}
	return s, x, err
}

// announce prints the URL, and what to paste into a client: one that reaches the
// server, and one that starts a server of its own over stdio, without a secret.
func (m *openedWorldMCP) announce(w io.Writer) error {
	if err := m.front.Announce(w, m.listener.Addr()); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	type client struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	c := client{Command: program, Args: []string{"serve", "-stdio"}}
	if m.config.file != "" {
		c.Args = append(c.Args, "-config", m.config.file)
	}
	c.Args = append(c.Args, "world-mcp")
	if _, err := io.WriteString(w, "world, MCP client configuration over stdio:\n"); err != nil {
		return err
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"mcpServers": map[string]client{"world": c}})
}

// problems are all mistakes of the MCP server's part. The key may still have to be
// made.
func (c worldMCPConfig) problems() error {
	judged := worldMCPConfig{Listen: "127.0.0.1:0", RPC: "http://127.0.0.1" + worldRPCPath} // by the edge alone
	_, x, err := newWorldMCPFront(judged, "", "", false, nil)
	if x != nil {
		x.Close()
	}
	return errors.Join(c.check(), err)
}
