package main

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/strictjson"
	"github.com/pharos-mcp/pharos/services/platform"
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
	// Broker is the authorization server.
	Broker brokerConfig `json:"broker"`
	// Play is facilitated solo play.
	Play playConfig `json:"play"`
	// Simulator is the dispatch game.
	Simulator simulatorConfig `json:"simulator"`
	// World is the owner of one Minecraft world.
	World worldConfig `json:"world"`
	// Camera is the worker that draws pictures of the world.
	Camera cameraConfig `json:"camera"`
	// WorldMCP is the world's MCP server.
	WorldMCP worldMCPConfig `json:"world_mcp"`
	// WorldBridge leads an agent for the players of the world.
	WorldBridge worldBridgeConfig `json:"world_bridge,omitzero"`
	// Devidp is the login service for development.
	Devidp devidpConfig `json:"devidp"`
	// Database is where platform, broker and play keep everything, the world its
	// journal, and the simulator an index of its runs.
	Database databaseConfig `json:"database,omitzero"`

	keys string // folder of the keys for development; "" is that of the database
	file string // the configuration's, absolute; "" without one
}

// platformConfig is the configuration of the platform's API.
type platformConfig struct {
	// Listen is the address of the API: host and port, on loopback unless Origin
	// says that something in front of it encrypts.
	Listen string `json:"listen"`
	// PrivateListen is the address of what is private to the other services:
	// host and port, on loopback.
	PrivateListen string `json:"private_listen"`
	// Origin is where browsers find the API, as in "https://platform.example".
	// Empty stands for Listen itself, over plain HTTP.
	Origin string `json:"origin,omitempty"`
	// Delegation says who speaks for people beside themselves. Empty stands for
	// nobody.
	Delegation delegationConfig `json:"delegation,omitzero"`
	// Slots is how many runs this process executes at once. Zero stands for 4;
	// -1 leaves them to other processes.
	Slots int `json:"slots,omitempty"`
}

// databaseConfig says which PostgreSQL server is used.
type databaseConfig struct {
	// URL is a server's, as in "postgres://user@host/name"; a password is better
	// kept in PGPASSFILE. Empty stands for DATABASE_URL, and where that is empty
	// too for a private server.
	URL string `json:"url,omitempty"`
	// State is the folder of the private server. Empty stands for
	// pharos/postgres in the folder of the user's state: XDG_STATE_HOME, or
	// ~/.local/state.
	State string `json:"state,omitempty"`
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
	c.Platform.Delegation.resolve(filepath.Dir(file))
	c.Broker.resolve(filepath.Dir(file))
	c.Play.resolve(filepath.Dir(file))
	c.resolveWorld(filepath.Dir(file))
	if c.file, err = filepath.Abs(file); err != nil {
		return config{}, err
	}
	for _, folder := range []*string{&c.Database.State, &c.Simulator.Runs} {
		if *folder != "" && !filepath.IsAbs(*folder) {
			*folder = filepath.Join(filepath.Dir(file), *folder)
		}
	}
	return c, nil
}

// forStdio is the configuration for one client that starts the program. Several
// may, so the platform's API is at a port that the system chooses.
func (c config) forStdio() config {
	c.Edge = c.Edge.ForStdio()
	c.Platform.Listen, c.Platform.PrivateListen = "127.0.0.1:0", "127.0.0.1:0"
	return c
}

// check reports what is wrong with the platform's part.
func (c platformConfig) check() error {
	delegation, unread := c.Delegation.open()
	var service, slots error
	if err := (platform.Config{Origin: c.Origin, Delegation: delegation}).Check(); err != nil {
		service = errors.New("platform." + strings.ReplaceAll(err.Error(), "\n", "\nplatform."))
	}
	if c.Slots < -1 || c.Slots > 64 {
		slots = fmt.Errorf("platform.slots: %d is not from -1 to 64", c.Slots)
	}
	return errors.Join(
		checkAddress("platform.listen", c.Listen, c.Origin == ""),
		checkAddress("platform.private_listen", c.PrivateListen, true),
		service, unread, slots,
	)
}

// checkAddress refuses what is not host:port, on loopback where that is needed.
func checkAddress(name, address string, loopback bool) error {
	host, port, err := net.SplitHostPort(address)
	_, bad := strconv.ParseUint(port, 10, 16)
	switch {
	case err != nil || bad != nil:
		return fmt.Errorf("%s: %q is not host:port", name, address)
	case loopback && !httpguard.IsLoopback(host):
		return fmt.Errorf("%s: %q is not host:port on loopback", name, address)
	}
	return nil
}

// url is the server's that is not private, or "".
func (c databaseConfig) url() string { return cmp.Or(c.URL, os.Getenv("DATABASE_URL")) }

// config is the server that is meant, private or not.
func (c databaseConfig) config(log *slog.Logger) (pg.Config, error) {
	d := pg.Config{URL: c.url(), State: c.State, Log: log}
	if d.URL != "" || d.State != "" {
		return d, nil
	}
	var err error
	if d.State, err = c.state(); err != nil {
		return pg.Config{}, fmt.Errorf("database.state is needed: %w", err)
	}
	return d, nil
}

// state is the folder of a private server, whether one is used or not.
func (c databaseConfig) state() (string, error) {
	if c.State != "" {
		return c.State, nil
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "pharos", "postgres"), nil
}

// folder is that of the private server, or "" where another one is used.
func (c databaseConfig) folder() (string, error) {
	d, err := c.config(nil)
	if err != nil || d.URL != "" {
		return "", err
	}
	return d.State, nil
}
