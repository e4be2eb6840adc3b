package main

import (
	_ "embed"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// defaults is the configuration that pharos comes with.
//
//go:embed default.json
var defaults []byte

// config is the configuration of everything that pharos serves. Each member's
// zero value stands for what default.json says.
type config struct {
	// Edge is the MCP server. Its upstream for the document "platform" is the
	// platform's own address unless the configuration says otherwise.
	Edge edge.Config `json:"edge"`
	// Platform is the platform's API.
	Platform platformConfig `json:"platform"`
}

// platformConfig is the configuration of the platform's API.
type platformConfig struct {
	// Listen is the address of the API: host and port, on loopback, because
	// its callers are not authenticated.
	Listen string `json:"listen"`
}

// loadConfig reads a configuration file over the defaults; "" reads none.
func loadConfig(file string) (config, error) {
	var c config
	if err := strictjson.Unmarshal(defaults, &c); err != nil {
		return config{}, fmt.Errorf("default.json: %w", err)
	}
	if file == "" {
		return c, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return config{}, err
	}
	if err := strictjson.Unmarshal(data, &c); err != nil {
		return config{}, fmt.Errorf("%s: %w", file, err)
	}
	c.Edge.Resolve(filepath.Dir(file))
	return c, nil
}

// forStdio is the configuration for one client that starts the program. Several
// may, so the platform's API is at a port that the system chooses.
func (c config) forStdio() config {
	c.Edge = c.Edge.ForStdio()
	c.Platform.Listen = "127.0.0.1:0"
	return c
}

// check reports what is wrong with the platform's part.
func (c platformConfig) check() error {
	host, port, err := net.SplitHostPort(c.Listen)
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || !httpguard.IsLoopback(host) {
		return fmt.Errorf("platform.listen: %q is not host:port on loopback", c.Listen)
	}
	return nil
}

// connected returns the edge's configuration with the platform at an address,
// unless it has an upstream for it already.
func (c config) connected(address string) edge.Config {
	e := c.Edge
	if _, ok := e.Upstreams["platform"]; !ok {
		upstreams := map[string]edge.Upstream{"platform": {URL: "http://" + address}}
		for name, u := range e.Upstreams {
			upstreams[name] = u
		}
		e.Upstreams = upstreams
	}
	return e
}
