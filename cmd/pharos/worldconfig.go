package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/java"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
)

// worldConfig is the configuration of the world's owner. Nothing leads off this
// machine.
type worldConfig struct {
	// Listen is the address of the RPC: host and port, on loopback always.
	Listen string `json:"listen"`
	// Java is the address that players of Java Edition come in by: host and port, on
	// loopback always, since nobody is asked who they are. Empty lets nobody in.
	Java string `json:"java,omitempty"`
	// Live is the address of the page that shows the world: host and port, on
	// loopback always. Empty shows nothing.
	Live string `json:"live,omitempty"`
	// Folder is the world's: that of a game's save, with level.dat and region.
	// A folder that is empty or not there gets a small flat world. Empty stands for
	// world beside the folder of the private database.
	Folder string `json:"folder,omitempty"`
	// Version is the game's, whose blocks are known: of a world that is made, and the
	// newest that may be changed. Empty stands for 1.20.2.
	Version string `json:"version,omitempty"`
	// Owner is the UUID of the player whose project the first one is, where the
	// folder has no projects yet. Empty stands for that of the player Owner in a
	// world that checks no accounts.
	Owner string `json:"owner,omitempty"`
	// AllowLocalAutomation admits the console, whose UUID is all zeros. It is for
	// worlds that are apart for tests.
	AllowLocalAutomation bool `json:"allow_local_automation,omitempty"`
	// Cameras are fixed places to take pictures from, by their names.
	Cameras worldCameras `json:"cameras,omitempty"`
}

// worldMCPConfig is the configuration of the world's MCP server, which is a
// client of the RPC.
type worldMCPConfig struct {
	// Listen is the address for MCP clients: host and port, on loopback always.
	Listen string `json:"listen"`
	// RPC is the URL of the world's RPC, on loopback. Empty stands for that of
	// world.listen.
	RPC string `json:"rpc,omitempty"`
	// KeyFile holds the agent's key. Empty stands for the one in world.folder.
	KeyFile string `json:"key_file,omitempty"`
	// PlayerID is for whom the tools act. Empty stands for world.owner.
	PlayerID string `json:"player_id,omitempty"`
	// ProjectID is in which project. Empty stands for default.
	ProjectID string `json:"project_id,omitempty"`
}

// The values that stand for an empty one.
const (
	worldProject = "default"
	worldRPCPath = "/v1/rpc"
)

// worldOwner is the UUID that the game gives the player Owner where it checks no
// accounts: the MD5 of a name, as version 3.
var worldOwner = java.PlayerID("Owner")

// resolveWorld makes the names of files relative to a folder.
func (c *config) resolveWorld(folder string) {
	for _, file := range []*string{&c.World.Folder, &c.WorldMCP.KeyFile, &c.Camera.KeyFile, &c.WorldBridge.KeyFile, &c.WorldBridge.Folder} {
		if *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(folder, *file)
		}
	}
}

// worldFolder is the world's folder, as it is found from anywhere.
func (c config) worldFolder() (string, error) {
	if c.World.Folder != "" {
		return filepath.Abs(c.World.Folder)
	}
	state, err := c.Database.state()
	if err != nil {
		return "", fmt.Errorf("world.folder is needed: %w", err)
	}
	return filepath.Abs(filepath.Join(filepath.Dir(state), "world"))
}

// worldKeysIn is where the keys of a world are.
func worldKeysIn(folder string) string { return filepath.Join(folder, "pharos", "keys") }

// worldKeyFile is the file of the agent's key.
func (c config) worldKeyFile() (string, error) {
	if c.WorldMCP.KeyFile != "" {
		return filepath.Abs(c.WorldMCP.KeyFile)
	}
	folder, err := c.worldFolder()
	if err != nil {
		return "", err
	}
	return filepath.Join(worldKeysIn(folder), string(worldkey.Agent)), nil
}

// owner is the owner of the first project.
func (c worldConfig) owner() (uuid.UUID, error) {
	if c.Owner == "" {
		return worldOwner, nil
	}
	return uuid.Parse(c.Owner)
}

// worldMCP is the configuration of the MCP server with the defaults in it.
func (c config) worldMCP() worldMCPConfig {
	m := c.WorldMCP
	m.RPC = cmp.Or(m.RPC, "http://"+c.World.Listen+worldRPCPath)
	m.PlayerID = cmp.Or(m.PlayerID, c.World.Owner, worldOwner.String())
	m.ProjectID = cmp.Or(m.ProjectID, worldProject)
	return m
}

// check reports what is wrong with it.
func (c worldConfig) check() error {
	_, unknown := blocks.Load(cmp.Or(c.Version, blocks.Default))
	if unknown != nil {
		unknown = fmt.Errorf("world.version: %w", unknown)
	}
	owner := checkUUID("world.owner", c.Owner)
	if c.Owner == uuid.Nil.String() && !c.AllowLocalAutomation {
		owner = errors.New("world.owner: the console owns a project only with world.allow_local_automation")
	}
	var players, page error
	if c.Live != "" {
		page = checkAddress("world.live", c.Live, true)
	}
	if c.Java != "" {
		players = checkAddress("world.java", c.Java, true)
	}
	return errors.Join(checkAddress("world.listen", c.Listen, true), players, page, unknown, owner, c.Cameras.check())
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// check reports what is wrong with it. What is empty is right.
func (c worldMCPConfig) check() error {
	var rpc, project error
	u, err := url.Parse(c.RPC)
	if c.RPC != "" && (err != nil || u.Scheme != "http" || !httpguard.IsLoopback(u.Hostname())) {
		rpc = fmt.Errorf("world_mcp.rpc: %q is no http URL on loopback", c.RPC)
	}
	if c.ProjectID != "" && !nameForm.MatchString(c.ProjectID) {
		project = fmt.Errorf("world_mcp.project_id: %q is not 1 to 64 letters, digits, underscores and hyphens", c.ProjectID)
	}
	return errors.Join(checkAddress("world_mcp.listen", c.Listen, true), rpc, checkUUID("world_mcp.player_id", c.PlayerID), project)
}

// checkUUID refuses what is no UUID in small letters; empty is none.
func checkUUID(name, text string) error {
	if id, err := uuid.Parse(text); text != "" && (err != nil || id.String() != text) {
		return fmt.Errorf("%s: %q is no UUID in small letters", name, text)
	}
	return nil
}
