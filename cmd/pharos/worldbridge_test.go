package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/services/world/bridge"
	"github.com/pharos-mcp/pharos/services/world/chat"
)

// village is a served world whose players are in this process: its RPC stands
// behind one that has their chat.
type village struct {
	servedWorld
	board *chat.Board
	url   string // of that RPC

	mu      sync.Mutex
	said    map[uuid.UUID][]string
	methods []string // that were called, by the agent
	ended   chan string
}

func settle(t *testing.T) *village {
	t.Helper()
	v := &village{servedWorld: serveWorld(t, ""), said: map[uuid.UUID][]string{}, ended: make(chan string, 8)}
	v.board = chat.New(func(player uuid.UUID, text string) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.said[player] = append(v.said[player], text)
	})
	to, err := url.Parse(strings.TrimSuffix(v.rpc, worldRPCPath))
	if err != nil {
		t.Fatal(err)
	}
	behind := httputil.NewSingleHostReverseProxy(to)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(data))
		var call struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(data, &call); err != nil {
			t.Error(err)
		}
		if holder := r.Header.Get("Authorization"); strings.HasPrefix(call.Method, "chat_") != (holder == "Bearer "+v.admin) {
			t.Errorf("%s is called with the key of somebody else", call.Method)
		}
		switch call.Method {
		case "chat_poll":
			v.answer(w, call.Params, v.poll)
		case "chat_reply":
			v.answer(w, call.Params, v.reply)
		default:
			v.mu.Lock()
			v.methods = append(v.methods, call.Method)
			v.mu.Unlock()
			behind.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	v.url = server.URL + worldRPCPath
	return v
}

func (v *village) answer(w http.ResponseWriter, params json.RawMessage, method func(json.RawMessage) (any, error)) {
	result, err := method(params)
	answer := map[string]any{"ok": true, "result": result}
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		answer = map[string]any{"ok": false, "error": map[string]any{"code": fault.CodeOf(err), "message": err.Error()}}
		w.WriteHeader(http.StatusBadRequest)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (v *village) poll(params json.RawMessage) (any, error) {
	var in struct {
		ClientID string `json:"client_id"`
	}
	if err := json.Unmarshal(params, &in); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	messages, err := v.board.Poll(ctx, in.ClientID, func([]string) error { return nil })
	out := []any{}
	for _, m := range messages {
		out = append(out, map[string]any{
			"id": m.ID, "playerId": m.Player, "projectId": m.Project, "text": m.Text, "type": m.Type,
			"position": map[string]float64{"x": m.Position[0], "y": m.Position[1], "z": m.Position[2]},
		})
	}
	return map[string]any{"messages": out}, err
}

func (v *village) reply(params json.RawMessage) (any, error) {
	var in struct {
		ID       string    `json:"id"`
		PlayerID uuid.UUID `json:"playerId"`
		Text     string    `json:"text"`
		Done     bool      `json:"done"`
		Error    string    `json:"error"`
	}
	if err := json.Unmarshal(params, &in); err != nil {
		return nil, err
	}
	err := v.board.Reply(chat.Reply{ID: in.ID, Player: in.PlayerID, Text: in.Text, Done: in.Done, Error: in.Error})
	if err == nil && in.Done {
		v.ended <- in.Error
	}
	return map[string]bool{"accepted": true}, err
}

// lead serves MCP and the bridge with an agent, until the test ends.
func (v *village) lead(t *testing.T, command ...string) {
	t.Helper()
	agent, _ := json.Marshal(command) // strings always encode
	keys := worldKeysIn(filepath.Join(v.folder, "save"))
	file := configFile(t, fmt.Sprintf(`{"world_mcp":{"listen":"127.0.0.1:0","rpc":%q,"key_file":%q},
		"world_bridge":{"command":%s,"key_file":%q},"database":{"state":"none"}}`,
		v.url, filepath.Join(keys, "agent"), agent, filepath.Join(keys, "admin")))
	ctx, stop := context.WithCancel(t.Context())
	status := make(chan int, 1)
	var log bytes.Buffer
	go func() {
		status <- run(ctx, []string{"serve", "-config", file, "world-mcp", "world-bridge"}, nil, io.Discard, leak.Watch("the log", &log))
	}()
	t.Cleanup(func() {
		stop()
		if got := <-status; got != 0 || strings.Contains(log.String(), v.admin) || strings.Contains(log.String(), v.agent) {
			t.Errorf("exit status %d\n%s", got, &log)
		}
	})
}

// ask asks the builder, and returns what was said and called.
func (v *village) ask(t *testing.T, player uuid.UUID, text string) (said string, methods []string) {
	t.Helper()
	v.mu.Lock()
	v.said[player], v.methods = nil, nil
	v.mu.Unlock()
	if err := v.board.Ask(chat.Message{Player: player, Project: worldProject, Text: text, Position: [3]float64{0.5, 65, 0.5}}); err != nil {
		t.Fatal(err)
	}
	select {
	case failure := <-v.ended:
		if failure != "" {
			t.Errorf("the turn failed: %s", failure)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the turn does not end")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range v.methods {
		if n := len(methods); n == 0 || methods[n-1] != m {
			methods = append(methods, m)
		}
	}
	return strings.Join(v.said[player], "\n"), methods
}

// TestWorldBridge: a player asks for a house, and the agent looks, plans, builds,
// and says so to who asked; what it built is in the world, and is taken back.
//
// clause: W-40, W-42
func TestWorldBridge(t *testing.T) {
	t.Parallel()
	v := settle(t)
	v.lead(t, program(t), "demo-agent")
	ann, bob := uuid.New(), uuid.New()
	said, methods := v.ask(t, ann, "please build a house")
	if !strings.Contains(said, "The plan of a house changes") || !strings.Contains(said, "The house stands") {
		t.Errorf("ann was told\n%s", said)
	}
	if got := strings.Join(methods, " "); !strings.Contains(got, "region_inspect build_prepare build_apply") ||
		!strings.HasSuffix(got, "camera_capture") || !strings.Contains(said, "picture") {
		t.Errorf("the agent called %s\nand said %s", got, said)
	}
	owner := `"player_id":"` + worldOwner.String() + `","project_id":"default"`
	planks := `{"method":"region_inspect","params":{` + owner + `,"min":{"x":3,"y":65,"z":-3},"max":{"x":9,"y":70,"z":3},"detail":"summary"}}`
	if _, reply := v.servedWorld.ask(t, v.agent, planks); !strings.Contains(reply, "minecraft:oak_planks") {
		t.Errorf("the house is not there: %s", reply)
	}
	for _, c := range []struct{ wish, says string }{
		{"undo", "blocks back"}, {"undo", "nothing to take back"}, {"tower", "The tower stands"}, {"dance", "know a few words"},
	} {
		if said, _ := v.ask(t, bob, c.wish); !strings.Contains(said, c.says) {
			t.Errorf("%s: %s", c.wish, said)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if heard := strings.Join(v.said[ann], "\n"); heard != said {
		t.Errorf("ann was told of what bob asked:\n%s", heard)
	}
}

// TestWorldBoard: the bridge's side of chat_poll and chat_reply, against the
// world itself.
//
// clause: W-03, W-40, W-41
func TestWorldBoard(t *testing.T) {
	t.Parallel()
	w := serveWorld(t, "")
	board := func(key string) *worldBoard {
		b, err := newWorldBoard(config{World: worldConfig{Listen: strings.TrimPrefix(strings.TrimSuffix(w.rpc, worldRPCPath), "http://")}}.worldMCP(), key)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.exchange.Close)
		b.wait = 0
		return b
	}
	admin := board(w.admin)
	for _, client := range []string{"one", "one", "two"} {
		if messages, err := admin.Poll(t.Context(), client); err != nil || len(messages) != 0 {
			t.Errorf("%s: %v, %v", client, messages, err)
		}
	}
	if _, err := admin.Poll(t.Context(), "one"); !errors.Is(err, bridge.ErrDisplaced) {
		t.Errorf("a bridge that another took over from: %v", err)
	}
	if err := admin.Reply(t.Context(), chat.Reply{ID: uuid.NewString(), Player: worldOwner, Text: "done", Done: true}); !errors.Is(err, bridge.ErrOver) {
		t.Errorf("a reply to nothing: %v", err)
	}
	if _, err := board(w.agent).Poll(t.Context(), "two"); !refusedWith(err, "permission_denied") {
		t.Errorf("the agent polls: %v", err)
	}
}

// TestWorldBridgeConfig tells every mistake at once, and what an agent may call
// is what the administrator does not.
//
// clause: W-03, W-42
func TestWorldBridgeConfig(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`{}`: nil,
		`{"world_bridge":{"command":["",""],"environment":["A","","B=1"],"mcp":"http://192.0.2.1/mcp","turn":"25h"}}`: {
			`world_bridge.command: the program has no name`, `world_bridge.mcp: "http://192.0.2.1/mcp" is no http URL on loopback`,
			`world_bridge.turn: 25h0m0s is not from 0s to 24h0m0s`, `world_bridge.environment: "" is no name of a variable`,
			`world_bridge.environment: "B=1" is no name of a variable`,
		},
		`{"world_bridge":{"turn":"24h"},"world_mcp":{"rpc":"https://127.0.0.1/v1/rpc"}}`: {
			`world_mcp.rpc: "https://127.0.0.1/v1/rpc" is no http URL on loopback`,
		},
	} {
		if diff := cmp.Diff(want, checked(t, configFile(t, text), "world-bridge")); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	tools := " " + strings.Join(worldTools(), " ") + " "
	for name, offered := range map[string]bool{"build_apply": true, "camera_capture": true, "chat_poll": false, "recovery_abandon": false} {
		if strings.Contains(tools, " "+name+" ") != offered {
			t.Errorf("%s is among the tools: %t", name, !offered)
		}
	}
	var stderr bytes.Buffer
	file := configFile(t, `{"world":{"folder":"save"}}`)
	if status := run(t.Context(), []string{"serve", "-config", file, "world-bridge"}, nil, io.Discard, &stderr); status != 1 ||
		!strings.Contains(stderr.String(), "world_bridge.key_file: there is no ") {
		t.Errorf("%d %s", status, &stderr)
	}
}
