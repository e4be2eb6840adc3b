package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/services/world/blocks"
)

// TestSamples loads what docs/platform.md shows, which says what the defaults
// are but for the database.
func TestSamples(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/platform.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(\\{.*?)```").FindAllSubmatch(guide, -1)
	if len(shown) != 3 {
		t.Fatalf("%d samples", len(shown))
	}
	for i, sample := range shown {
		file := configFile(t, string(sample[1]))
		keysFile(t, filepath.Dir(file), "broker-keys.json", 1)
		keysFile(t, filepath.Dir(file), "gateway-keys.json", 2)
		c, err := loadConfig(file)
		if err != nil {
			t.Fatalf("sample %d: %v", i, err)
		}
		if err := c.Platform.check(); err != nil {
			t.Errorf("sample %d: %v", i, err)
		}
		if i > 0 {
			continue
		}
		want, err := loadConfig("")
		if err != nil {
			t.Fatal(err)
		}
		want.Platform.Slots, want.Database = 4, c.Database // 0 stands for 4
		if diff := cmp.Diff(want.Platform, c.Platform); diff != "" {
			t.Errorf("the defaults (-, those of the program): %s", diff)
		}
		if c.Database.URL == "" || !strings.HasPrefix(c.Database.State, "/") {
			t.Errorf("%+v", c.Database)
		}
	}
}

// TestAuthoritySample is right but for the files that it names.
func TestAuthoritySample(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/authority.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(guide, -1)
	if len(shown) == 0 {
		t.Fatal("the guide shows no configuration")
	}
	for _, sample := range shown {
		file := configFile(t, string(sample[1]))
		folder := filepath.Dir(file)
		for seed, name := range map[byte]string{1: "broker", 2: "gateway"} {
			private, enrolment, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
			if err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string][]byte{name + ".json": private, name + "-keys.json": enrolment, "client-secret": []byte("a secret\n")} {
				if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), []string{"check-config", "-config", file, "broker", "edge"}, nil, &stdout, &stderr); got != 0 {
			t.Errorf("exit status %d: %s", got, stderr.String())
		}
	}
}

// TestPlaySamples loads what docs/play.md shows. The first says what the
// defaults are, but for what it names.
func TestPlaySamples(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/play.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(guide, -1)
	if len(shown) != 3 {
		t.Fatalf("%d samples", len(shown))
	}
	for i, sample := range shown {
		file := configFile(t, string(sample[1]))
		folder := filepath.Dir(file)
		certificate(t, folder)
		for name, as := range map[string]string{"a.pem": "play.pem", "a.key": "play-key.pem"} {
			if err := os.Rename(filepath.Join(folder, name), filepath.Join(folder, as)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, "redis.url"), []byte("redis://127.0.0.1:1/0\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if lines := checked(t, file, "play"); lines != nil {
			t.Errorf("sample %d: %q", i, lines)
		}
		if i > 0 {
			continue
		}
		got, err := loadConfig(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := loadConfig("")
		if err != nil {
			t.Fatal(err)
		}
		defaults := want.Play.withDefaults()
		defaults.Origin, defaults.StatementTimeout, defaults.LockTimeout = defaults.url(), edge.Duration(5*time.Second), edge.Duration(2*time.Second)
		defaults.Hosts, defaults.Proxies, defaults.RedisFile = got.Play.Hosts, got.Play.Proxies, got.Play.RedisFile
		if diff := cmp.Diff(defaults, got.Play); diff != "" {
			t.Errorf("the defaults (-, those of the program): %s", diff)
		}
	}
}

// TestSimulatorSample loads what docs/simulator.md shows: the defaults, but for
// whose home it is.
func TestSimulatorSample(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(guide)
	if shown == nil {
		t.Fatal("the guide shows no configuration")
	}
	file := configFile(t, string(shown[1]))
	if lines := checked(t, file, "simulator"); lines != nil {
		t.Errorf("%q", lines)
	}
	got, err := loadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := loadConfig("")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(got.Simulator.Runs, "/.local/state/pharos/simulator/runs") {
		t.Errorf("runs are in %s", got.Simulator.Runs)
	}
	want.Simulator.Runs = got.Simulator.Runs
	if diff := cmp.Diff(want.Simulator.withDefaults(), got.Simulator); diff != "" {
		t.Errorf("the defaults (-, those of the program): %s", diff)
	}
}

// TestWorldSample loads what docs/world.md shows: the defaults, but for whose home
// it is.
func TestWorldSample(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/world.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(\\{\n  \"world\".*?)```").FindSubmatch(guide)
	if shown == nil {
		t.Fatal("the guide shows no configuration")
	}
	file := configFile(t, string(shown[1]))
	if lines := checked(t, file, "world", "world-mcp"); lines != nil {
		t.Errorf("%q", lines)
	}
	got, err := loadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := loadConfig(configFile(t, `{"database":{"state":"/home/ann/.local/state/pharos/postgres"}}`))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := want.worldFolder()
	if err != nil {
		t.Fatal(err)
	}
	keyFile, err := want.worldKeyFile()
	if err != nil {
		t.Fatal(err)
	}
	want.World.Folder, want.World.Version, want.World.Owner = folder, blocks.Default, worldOwner.String()
	want.WorldMCP = want.worldMCP()
	want.WorldMCP.KeyFile = keyFile
	if diff := cmp.Diff(want.World, got.World); diff != "" {
		t.Errorf("the defaults of the world (-, those of the program): %s", diff)
	}
	if diff := cmp.Diff(want.WorldMCP, got.WorldMCP); diff != "" {
		t.Errorf("the defaults of its MCP server (-, those of the program): %s", diff)
	}
}

// TestWorldAgentSample loads what docs/world.md shows of cameras and agents.
func TestWorldAgentSample(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/world.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(\\{\n  \"world\": \\{\"cameras\".*?)```").FindSubmatch(guide)
	if shown == nil {
		t.Fatal("the guide shows no agent")
	}
	file := configFile(t, string(shown[1]))
	if lines := checked(t, file, "world", "world-bridge"); lines != nil {
		t.Errorf("%q", lines)
	}
	got, err := loadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.World.Cameras) != 1 || len(got.WorldBridge.Command) != 2 {
		t.Errorf("cameras %v, command %q", got.World.Cameras, got.WorldBridge.Command)
	}
}

// TestMembers are all described.
func TestMembers(t *testing.T) {
	t.Parallel()
	var guides []byte
	for _, name := range []string{"platform.md", "authority.md", "play.md", "simulator.md", "world.md"} {
		guide, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		guides = append(guides, guide...)
	}
	for _, file := range []string{"config.go", "delegation.go", "broker.go", "devidp.go", "playconfig.go", "simulatorconfig.go", "worldconfig.go", "worldbridge.go", "camera.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range regexp.MustCompile("`json:\"(\\w+)").FindAllSubmatch(source, -1) {
			if name := string(tag[1]); !strings.Contains(string(guides), `"`+name+`"`) {
				t.Errorf("no guide shows the member %q of %s", name, file)
			}
		}
	}
}
