package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/java"
)

// TestWorldListens on loopback alone, whatever the configuration says.
//
// clause: W-01
func TestWorldListens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{`{}`, nil},
		{`{"world":{"listen":"[::1]:8765"},"world_mcp":{"listen":"localhost:0"}}`, nil},
		{`{"world":{"listen":"0.0.0.0:8765"}}`, []string{`world.listen: "0.0.0.0:8765" is not host:port on loopback`}},
		{`{"world":{"listen":"192.0.2.1:8765"}}`, []string{`world.listen: "192.0.2.1:8765" is not host:port on loopback`}},
		{`{"world":{"listen":":8765"}}`, []string{`world.listen: ":8765" is not host:port on loopback`}},
		{`{"world":{"listen":"8765"}}`, []string{`world.listen: "8765" is not host:port`}},
		{`{"world_mcp":{"listen":"0.0.0.0:8767"}}`, []string{`world_mcp.listen: "0.0.0.0:8767" is not host:port on loopback`}},
		{`{"world_mcp":{"rpc":"http://192.0.2.1/v1/rpc"}}`, []string{
			`world_mcp.rpc: "http://192.0.2.1/v1/rpc" is no http URL on loopback`,
		}},
		{`{"world_mcp":{"rpc":"https://127.0.0.1/v1/rpc"}}`, []string{
			`world_mcp.rpc: "https://127.0.0.1/v1/rpc" is no http URL on loopback`,
		}},
	} {
		got := checked(t, configFile(t, c.text), "world", "world-mcp")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

// TestWorldConfig tells every mistake at once.
func TestWorldConfig(t *testing.T) {
	t.Parallel()
	const nobody = "00000000-0000-0000-0000-000000000000"
	for text, want := range map[string][]string{
		`{"world":{"version":"1.7","owner":"me"},"world_mcp":{"project_id":"a b","player_id":"I"}}`: {
			`world.version: there is no pack of version 1.7`, `world.owner: "me" is no UUID in small letters`,
			`world_mcp.player_id: "I" is no UUID in small letters`,
			`world_mcp.project_id: "a b" is not 1 to 64 letters, digits, underscores and hyphens`,
		},
		`{"world":{"owner":"` + nobody + `"}}`: {
			"world.owner: the console owns a project only with world.allow_local_automation",
		},
		`{"world":{"owner":"` + nobody + `","allow_local_automation":true}}`:                              nil,
		`{"world_mcp":{"project_id":"` + strings.Repeat("p", 64) + `"}}`:                                  nil,
		`{"world":{"cameras":{"gate":{"x":1,"y":64,"z":-3,"yaw":180,"pitch":20,"fov":110,"width":320}}}}`: nil,
		`{"world":{"cameras":{"a b":{"y":64},"low":{"fov":29,"height":1081}}}}`: {
			`world.cameras: "a b" is not 1 to 64 letters, digits, underscores and hyphens`,
			`world.cameras.low: fov is 29, not from 30 to 110`, `world.cameras.low: height is 1081, not from 180 to 1080`,
		},
		`{"world_mcp":{"project_id":"` + strings.Repeat("p", 65) + `"}}`: {
			`world_mcp.project_id: "` + strings.Repeat("p", 65) + `" is not 1 to 64 letters, digits, underscores and hyphens`,
		},
	} {
		if diff := cmp.Diff(want, checked(t, configFile(t, text), "world", "world-mcp")); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestWorldFolder is where the configuration says, or beside the database that
// would be made; the agent's key is in it.
func TestWorldFolder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		`{"world":{"folder":"save"}}`:                                          {"save", "save/pharos/keys/agent"},
		`{"world":{"folder":"/srv/save"},"world_mcp":{"key_file":"k"}}`:        {"/srv/save", "k"},
		`{"database":{"state":"state/postgres"}}`:                              {"state/world", "state/world/pharos/keys/agent"},
		`{"database":{"state":"/srv/pg","url":"postgres://db/one"}}`:           {"/srv/world", "/srv/world/pharos/keys/agent"},
		`{"database":{"state":"/srv/pg"},"world_mcp":{"key_file":"/etc/key"}}`: {"/srv/world", "/etc/key"},
	} {
		file := configFile(t, text)
		c, err := loadConfig(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, find := range []func() (string, error){c.worldFolder, c.worldKeyFile} {
			want := want[i]
			if !filepath.IsAbs(want) {
				want = filepath.Join(filepath.Dir(file), want)
			}
			if got, err := find(); err != nil || got != want {
				t.Errorf("%s: %s, %v, want %s", text, got, err, want)
			}
		}
	}
}

// TestWorldOwner is the player whom the game gives the UUID where it checks no
// accounts.
func TestWorldOwner(t *testing.T) {
	t.Parallel()
	// What java.util.UUID.nameUUIDFromBytes makes of "OfflinePlayer:Notch".
	if got, want := java.PlayerID("Notch").String(), "b50ad385-829d-3141-a216-7e7d7539ba7f"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWorldMCPNeedsAKey that the world has made.
//
// clause: W-03
func TestWorldMCPNeedsAKey(t *testing.T) {
	t.Parallel()
	file := configFile(t, `{"world":{"folder":"save"},"world_mcp":{"listen":"127.0.0.1:0"}}`)
	refused := func() string {
		var stdout, stderr strings.Builder
		if status := run(t.Context(), []string{"serve", "-config", file, "world-mcp"}, nil, &stdout, &stderr); status != 1 {
			t.Errorf("exit status %d", status)
		}
		return stderr.String()
	}
	if got := refused(); !strings.Contains(got, "pharos serve world makes it") {
		t.Error(got)
	}
	keys := worldKeysIn(filepath.Join(filepath.Dir(file), "save"))
	if err := os.MkdirAll(keys, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(keys, "agent"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := refused(); !strings.Contains(got, "mode 0644") {
		t.Error(got)
	}
}
