package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/services/world/bridge"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
)

// worldBridgeConfig is the configuration of what leads an agent for players. It
// acts for world_mcp.player_id in world_mcp.project_id, by world_mcp.rpc.
type worldBridgeConfig struct {
	// Command starts the agent, which speaks the Agent Client Protocol: the program
	// and its arguments. Empty stands for the demonstration agent of this program.
	Command []string `json:"command,omitempty"`
	// Environment names the variables that the agent gets beside PATH, HOME, LANG and
	// TMPDIR, such as that of its own account.
	Environment []string `json:"environment,omitempty"`
	// Folder is where the agent works. Empty stands for one that is made, and removed
	// at the end.
	Folder string `json:"folder,omitempty"`
	// MCP is the URL of the world's MCP server, on loopback. Empty stands for that of
	// world_mcp.listen.
	MCP string `json:"mcp,omitempty"`
	// KeyFile holds the administrator's key, which the agent never gets. Empty stands
	// for the one in world.folder.
	KeyFile string `json:"key_file,omitempty"`
	// Turn is how long the agent may take for one question. Zero stands for 10m.
	Turn edge.Duration `json:"turn,omitempty"`
}

// longestTurn bounds what one question may take.
const longestTurn = 24 * time.Hour

// check reports what is wrong with it.
func (c worldBridgeConfig) check() error {
	var command, where, turn error
	if len(c.Command) > 0 && c.Command[0] == "" {
		command = errors.New("world_bridge.command: the program has no name")
	}
	u, err := url.Parse(c.MCP)
	if c.MCP != "" && (err != nil || u.Scheme != "http" || !httpguard.IsLoopback(u.Hostname())) {
		where = fmt.Errorf("world_bridge.mcp: %q is no http URL on loopback", c.MCP)
	}
	if c.Turn < 0 || time.Duration(c.Turn) > longestTurn {
		turn = fmt.Errorf("world_bridge.turn: %v is not from 0s to %v", time.Duration(c.Turn), longestTurn)
	}
	problems := []error{command, where, turn}
	for _, name := range c.Environment {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			problems = append(problems, fmt.Errorf("world_bridge.environment: %q is no name of a variable", name))
		}
	}
	return errors.Join(problems...)
}

// worldBridgeKeyFile is the file of the administrator's key.
func (c config) worldBridgeKeyFile() (string, error) {
	if c.WorldBridge.KeyFile != "" {
		return filepath.Abs(c.WorldBridge.KeyFile)
	}
	folder, err := c.worldFolder()
	if err != nil {
		return "", err
	}
	return filepath.Join(worldKeysIn(folder), string(worldkey.Admin)), nil
}

// openWorldBridge makes what leads an agent. It listens to nobody.
func (a *assembly) openWorldBridge() error {
	file, err := a.config.worldBridgeKeyFile()
	if err != nil {
		return err
	}
	admin, err := worldkey.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("world_bridge.key_file: there is no %s; pharos serve world makes it", file)
	}
	if err != nil {
		return fmt.Errorf("world_bridge.key_file: %w", err)
	}
	board, err := newWorldBoard(a.config.worldMCP(), admin)
	if err != nil {
		return err
	}
	c, remove, err := a.config.bridge(a.log)
	if err != nil {
		board.exchange.Close()
		return err
	}
	closed := func() { board.exchange.Close(); remove() }
	b, err := bridge.New(c, board)
	if err != nil {
		closed()
		return err
	}
	a.services = append(a.services, service{
		announce: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "world, agent: %s\n", strings.Join(c.Command, " "))
			return err
		},
		run: func(ctx context.Context, _ net.Listener) error {
			err := b.Run(ctx)
			if errors.Is(err, bridge.ErrDisplaced) { // to come back would take from the other what it has
				a.log.Error("world-bridge: another one has taken over; this one rests until it is started again")
				<-ctx.Done()
				return nil
			}
			return err
		},
		close: closed,
	})
	return nil
}

// bridge is how the agent is led, and what removes the folder that was made.
func (c config) bridge(log *slog.Logger) (b bridge.Config, remove func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return b, nil, err
	}
	agent, err := c.worldKeyFile()
	if err != nil {
		return b, nil, err
	}
	m := c.worldMCP()
	b = bridge.Config{
		Command: c.WorldBridge.Command, Environment: c.WorldBridge.Environment, Folder: c.WorldBridge.Folder,
		Project: m.ProjectID, Turn: time.Duration(c.WorldBridge.Turn), Log: log, Tools: worldTools(),
		Server: bridge.Server{
			URL:     cmp.Or(c.WorldBridge.MCP, "http://"+m.Listen+"/mcp"),
			Token:   func() (string, error) { return worldkey.Read(agent) },
			Program: []string{program, "serve", "-stdio"},
		},
	}
	if c.file != "" {
		b.Server.Program = append(b.Server.Program, "-config", c.file)
	}
	b.Server.Program = append(b.Server.Program, "world-mcp")
	if len(b.Command) == 0 {
		b.Command = []string{program, "demo-agent"}
	}
	if b.Folder != "" {
		b.Folder, err = filepath.Abs(b.Folder)
		return b, func() {}, err
	}
	b.Folder, err = os.MkdirTemp("", "pharos-agent-")
	return b, func() { _ = os.RemoveAll(b.Folder) }, err // what is left there is the agent's
}

// worldTools are the names of what an agent may call.
func worldTools() (names []string) {
	for _, o := range catalog.Remote().Operations {
		if !strings.HasSuffix(o.Scope, ":admin") {
			names = append(names, o.Tool)
		}
	}
	return names
}

// quoted is a JSON string.
func quoted(text string) json.RawMessage {
	data, _ := json.Marshal(text) // strings always encode
	return data
}
