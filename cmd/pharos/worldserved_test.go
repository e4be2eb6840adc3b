package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/leak"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
)

// servedWorld is a world with its MCP server, in a new folder.
type servedWorld struct {
	rpc, mcp     string // URLs
	admin, agent string // keys
	folder       string // of the configuration
}

// serveWorld serves one, with more members of its configuration.
func serveWorld(t *testing.T, members string) servedWorld {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	file := configFile(t, `{"world":{"listen":"127.0.0.1:0","java":"127.0.0.1:0","live":"127.0.0.1:0","folder":"save"`+members+`},"world_mcp":{"listen":"127.0.0.1:0"},
		"database":{"state":"postgres"}}`)
	w := servedWorld{folder: filepath.Dir(file)}
	reader, stdout := io.Pipe()
	status := make(chan int, 1)
	var log bytes.Buffer
	go func() {
		status <- run(ctx, []string{"serve", "-config", file, "world", "world-mcp"}, nil, stdout, leak.Watch("the log", &log))
		_ = stdout.Close()
	}()
	t.Cleanup(func() {
		stop()
		if got := <-status; got != 0 {
			t.Errorf("exit status %d, want 0\n%s", got, &log)
		}
		for name, secret := range map[string]string{"admin": w.admin, "agent": w.agent} {
			if secret != "" && strings.Contains(log.String(), secret) {
				t.Errorf("the key of %s stands in the log", name)
			}
		}
	})
	scanner := bufio.NewScanner(reader)
	for blocks := 0; blocks < 2 && scanner.Scan(); {
		line := scanner.Text()
		if url, ok := strings.CutPrefix(line, "world, RPC: "); ok {
			w.rpc = url
		}
		if url, ok := strings.CutPrefix(line, "MCP: "); ok {
			w.mcp, _, _ = strings.Cut(url, " ")
		}
		if line == "}" {
			blocks++
		}
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	keys := worldKeysIn(filepath.Join(w.folder, "save"))
	var err error
	if w.admin, err = worldkey.Read(filepath.Join(keys, "admin")); err != nil {
		t.Fatal(err)
	}
	if w.agent, err = worldkey.Read(filepath.Join(keys, "agent")); err != nil {
		t.Fatal(err)
	}
	return w
}

// ask posts to the RPC.
func (w servedWorld) ask(t *testing.T, bearer, body string) (status int, reply string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.rpc, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	return sent(t, r)
}

func sent(t *testing.T, r *http.Request) (status int, reply string) {
	t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

// TestWorldServed: the RPC by its two keys, and MCP without anybody being asked
// who they are.
//
// clause: W-01, W-02, W-03, W-04, W-06
func TestWorldServed(t *testing.T) {
	t.Parallel()
	w := serveWorld(t, "")

	response, err := http.Get(strings.TrimSuffix(w.rpc, worldRPCPath) + "/health")
	if err != nil {
		t.Fatal(err)
	}
	health, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if string(health) != `{"status":"ok","version":"1"}`+"\n" {
		t.Errorf("health: %s", health)
	}

	owner := `"player_id":"` + worldOwner.String() + `","project_id":"default"`
	const someID = "33333333-3333-4333-8333-333333333333"
	for name, c := range map[string]struct {
		key, body string
		status    int
		want      string
	}{
		"the agent":                      {w.agent, `{"method":"project_context","params":{` + owner + `}}`, 200, `{"ok":true,"result":{`},
		"nobody":                         {"", `{"method":"project_context","params":{` + owner + `}}`, 401, `{"ok":false,"error":{"code":"unauthenticated"`},
		"a wrong key":                    {w.agent + "x", `{"method":"project_context","params":{` + owner + `}}`, 401, `{"ok":false,"error":{"code":"unauthenticated"`},
		"the administrator, as an agent": {w.admin, `{"method":"project_context","params":{` + owner + `}}`, 403, `{"ok":false,"error":{"code":"permission_denied"`},
		"the agent, as an administrator": {w.agent, `{"method":"recovery_review","params":{` + owner + `,"operation_id":"` + someID + `"}}`, 403, `{"ok":false,"error":{"code":"permission_denied"`},
		"the administrator":              {w.admin, `{"method":"recovery_review","params":{` + owner + `,"operation_id":"` + someID + `"}}`, 400, `{"ok":false,"error":{"code":"not_found"`},
		"for somebody else": {w.agent, `{"method":"project_context","params":{"player_id":"` + someID + `","project_id":"default"}}`, 403,
			`{"ok":false,"error":{"code":"permission_denied"`},
		"for nobody": {w.agent, `{"method":"project_context","params":{"project_id":"default"}}`, 400, `{"ok":false,"error":{"code":"invalid_request"`},
		"for a number": {w.agent, `{"method":"project_context","params":{"player_id":7,"project_id":"default"}}`, 400,
			`{"ok":false,"error":{"code":"invalid_request"`},
	} {
		if status, reply := w.ask(t, c.key, c.body); status != c.status || !strings.HasPrefix(reply, c.want) {
			t.Errorf("%s: %d %s, want %d %s", name, status, reply, c.status, c.want)
		}
	}

	for name, c := range map[string]struct {
		method, body string
		head         map[string]string
		status       int
		code         string
	}{
		"a GET":              {http.MethodGet, "", nil, 400, "invalid_request"},
		"text":               {http.MethodPost, "{}", map[string]string{"Content-Type": "text/plain"}, 400, "invalid_request"},
		"another host":       {http.MethodPost, "{}", map[string]string{"Host": "example.org"}, 403, "permission_denied"},
		"a page elsewhere":   {http.MethodPost, "{}", map[string]string{"Origin": "https://example.org"}, 403, "permission_denied"},
		"10,000 levels":      {http.MethodPost, `{"params":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`, nil, 400, "invalid_request"},
		"more than a MiB":    {http.MethodPost, `{"method":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413, "too_large"},
		"no such method":     {http.MethodPost, `{"method":"drop"}`, nil, 400, "invalid_request"},
		"a method unnamed":   {http.MethodPost, `{}`, nil, 400, "invalid_request"},
		"not even an object": {http.MethodPost, `[]`, nil, 400, "invalid_request"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, w.rpc, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+w.agent)
		for name, value := range c.head {
			r.Header.Set(name, value)
		}
		if host := c.head["Host"]; host != "" {
			r.Host = host
		}
		if status, reply := sent(t, r); status != c.status || !strings.HasPrefix(reply, `{"ok":false,"error":{"code":"`+c.code+`",`) {
			t.Errorf("%s: %d %s, want %d %s", name, status, reply, c.status, c.code)
		}
	}

	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: w.mcp, HTTPClient: &http.Client{Transport: withHeaders{"Authorization": "Bearer " + w.agent}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	tries(t, session)

	file := configFile(t, `{"world_mcp":{"rpc":"`+w.rpc+`","key_file":"`+filepath.Join(worldKeysIn(filepath.Join(w.folder, "save")), "agent")+`"}}`)
	command := exec.Command(program(t), "serve", "-stdio", "-config", file, "world-mcp")
	command.Stderr = leak.Watch("the program's log", io.Discard)
	local, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = local.Close() }()
	tries(t, local)
}

// TestWorldConsole: the console has a project where the configuration lets it in,
// and the administrator's methods look at the same.
//
// clause: W-05
func TestWorldConsole(t *testing.T) {
	t.Parallel()
	const (
		console = "00000000-0000-0000-0000-000000000000"
		id      = "33333333-3333-4333-8333-333333333333"
	)
	w := serveWorld(t, `,"owner":"`+console+`","allow_local_automation":true`)
	for player, want := range map[string][2]int{console: {200, 400}, worldOwner.String(): {403, 403}} {
		who := `"player_id":"` + player + `","project_id":"default"`
		if status, reply := w.ask(t, w.agent, `{"method":"project_context","params":{`+who+`}}`); status != want[0] {
			t.Errorf("%s: %d %s, want %d", player, status, reply, want[0])
		}
		if status, reply := w.ask(t, w.admin, `{"method":"recovery_review","params":{`+who+`,"operation_id":"`+id+`"}}`); status != want[1] {
			t.Errorf("%s, for the administrator: %d %s, want %d", player, status, reply, want[1])
		}
	}
}

// tries lists the tools and calls a few.
func tries(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		schema, _ := json.Marshal(tool.InputSchema)
		if strings.HasPrefix(tool.Name, "recovery_") || tool.Name == "height_map" || strings.Contains(string(schema), "player_id") {
			t.Errorf("%s is offered with %s", tool.Name, schema)
		}
	}
	if len(list.Tools) != 14 {
		t.Errorf("%d tools, want 14", len(list.Tools))
	}
	for _, step := range []struct{ tool, arguments, says string }{
		{"project_context", `{}`, `"project_id":"default"`},
		{"project_context", `{"player_id":"33333333-3333-4333-8333-333333333333"}`, "invalid_request: "},
		{"region_inspect", `{"min":{"x":0,"y":-64,"z":0},"max":{"x":3,"y":-61,"z":3},"detail":"summary"}`, `"positions":64`},
		{"operation_status", `{"operation_id":"33333333-3333-4333-8333-333333333333"}`, "not_found: "},
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: step.tool, Arguments: json.RawMessage(step.arguments)})
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, step.says) {
			t.Errorf("%s %s: %s, want %s", step.tool, step.arguments, text, step.says)
		}
	}
}
