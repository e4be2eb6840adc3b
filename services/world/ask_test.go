package world_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/chat"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// talking is a site whose owner talks to the builder.
type talking struct {
	*site

	mu   sync.Mutex
	said []string // "PLAYER: TEXT", in order
}

func talk(t *testing.T) *talking {
	t.Helper()
	s := &talking{site: open(t)}
	s.Board = chat.New(func(player uuid.UUID, text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.said = append(s.said, player.String()[:1]+": "+text)
	})
	return s
}

// ask has the owner say /ai and words; the answer has part.
func (s *talking) ask(t *testing.T, words, part string) {
	t.Helper()
	target := geom.Pos{X: 4, Y: 64, Z: 5}
	who := host.Player{ID: owner, Name: "Owner", Feet: [3]float64{1.5, 65, 2.5}, Target: &target}
	if answer := s.Ask(t.Context(), who, words); !strings.Contains(answer, part) {
		t.Errorf("/ai %s: %q, want %q", words, answer, part)
	}
}

// poll is chat_poll of a bridge: its messages, as "TYPE TEXT".
func (s *talking) poll(t *testing.T, client string) (all []string, ids []string) {
	t.Helper()
	messages, _ := s.call(t, "chat_poll", `{"client_id":"`+client+`"}`)["messages"].([]any)
	for _, m := range messages {
		one, _ := m.(map[string]any)
		all = append(all, text(one["type"])+" "+text(one["text"]))
		ids = append(ids, text(one["id"]))
	}
	return all, ids
}

// TestAsk: a wish comes to the bridge with who, where and what is looked at; the
// words of our own do not.
//
// clause: W-40, W-41
func TestAsk(t *testing.T) {
	t.Parallel()
	s := talk(t)
	s.ask(t, "", "Write /ai")
	s.ask(t, "status", "nothing to do")
	s.ask(t, "undo", "nothing to take back")
	s.ask(t, strings.Repeat("x", chat.MaxPrompt+1), "240 are allowed")
	s.ask(t, "a red house", "Noted.")
	s.ask(t, "a tower", "Noted; 1 wishes are before it.")
	messages, _ := s.call(t, "chat_poll", `{"client_id":"bridge"}`)["messages"].([]any)
	if len(messages) != 1 {
		t.Fatalf("%v; there is one turn at a time", messages)
	}
	m, _ := messages[0].(map[string]any)
	id := text(m["id"])
	delete(m, "id")
	want := map[string]any{
		"type": "prompt", "text": "a red house", "playerId": owner.String(), "projectId": "default",
		"position": map[string]any{"x": 1.5, "y": 65.0, "z": 2.5}, "target": map[string]any{"x": 4.0, "y": 64.0, "z": 5.0},
	}
	if d := cmp.Diff(want, m); d != "" {
		t.Error(d)
	}
	s.ask(t, "status", "The builder works at: a red house. 1 wishes wait.")

	reply := func(player, more string) string {
		return fmt.Sprintf(`{"id":"%s","playerId":"%s","text":"done","done":true%s}`, id, player, more)
	}
	s.refused(t, "chat_reply", reply(stranger.String(), ""), "permission_denied", "who asked")
	s.refused(t, "chat_reply", reply("nobody", ""), "invalid_request", "playerId")
	s.call(t, "chat_reply", reply(owner.String(), `,"error":"but for the roof"`))
	s.refused(t, "chat_reply", reply(owner.String(), ""), "not_found", "no turn")
	if d := cmp.Diff([]string{"1: done", "1: but for the roof"}, s.said); d != "" {
		t.Error(d)
	}
	if all, _ := s.poll(t, "bridge"); len(all) != 1 || all[0] != "prompt a tower" {
		t.Errorf("the next turn is %q", all)
	}
}

// TestAskNobody: who may not ask is told so, and stops nothing.
//
// clause: W-40
func TestAskNobody(t *testing.T) {
	t.Parallel()
	s := talk(t)
	s.rewrite(t, `"ask"`, `"place"`)
	s.rewrite(t, `"place",`, ``)
	for _, words := range []string{"a house", "stop", "resume", "undo", "status", ""} {
		s.ask(t, words, "you may not ask")
	}
	if c := s.call(t, "project_context", `{}`); c["paused"] != false {
		t.Error("it is paused")
	}
}

// TestAskStop: whatever it is written like, stop ends the turn, forgets what
// waits and lets nothing be built until resume; both are seen in project_context.
//
// clause: W-41
func TestAskStop(t *testing.T) {
	t.Parallel()
	for _, stop := range []string{"stop", "Stop", " STOP "} {
		s := talk(t)
		s.ask(t, "a house", "Noted.")
		s.ask(t, "a garden", "Noted; 1")
		_, ids := s.poll(t, "bridge")
		s.ask(t, stop, "Building is stopped.")
		all, ended := s.poll(t, "bridge")
		if len(all) != 1 || all[0] != "cancel " || ended[0] != ids[0] {
			t.Errorf("the bridge gets %q for %q", all, ended)
		}
		if c := s.call(t, "project_context", `{}`); c["paused"] != true {
			t.Error("project_context does not say so")
		}
		s.ask(t, "a house", "/ai resume first")
		s.ask(t, "status", "Building is stopped")
		plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[`+wall+`]}}`)
		apply := `{"plan_id":"` + text(plan["plan_id"]) + `","plan_hash":"` + text(plan["plan_hash"]) + `","idempotency_key":"k"}`
		s.refused(t, "build_apply", apply, "paused", "")
		s.ask(t, "undo", "nothing to take back")
		s.ask(t, "resume", "goes on")
		if c := s.call(t, "project_context", `{}`); c["paused"] != false {
			t.Error("project_context does not say that it goes on")
		}
		if o := s.apply(t, "k", plan); o["status"] != "applied" || o["paused"] != false {
			t.Errorf("after resume: %v", o)
		}
	}
}

// TestAskUndo: the newest build goes, but for what somebody changed since; then
// the one before it.
//
// clause: W-18, W-41
func TestAskUndo(t *testing.T) {
	t.Parallel()
	s := talk(t)
	s.build(t, "first", `{"type":"box","min":{"x":10,"y":65,"z":0},"max":{"x":11,"y":65,"z":0},"block":"stone"}`)
	s.build(t, "second", wall)
	if err := s.host.Place(host.Cause{Kind: host.ByPlayer, Player: stranger}, "minecraft:dirt", geom.Pos{Y: 66}); err != nil {
		t.Fatal(err)
	}
	s.ask(t, "status", "The last build is applied: 35 of 35 blocks, 0 left alone.")
	done := func() {
		t.Helper()
		newest, err := s.Journal.Recent(t.Context(), "default", 1)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := s.Engine.Wait(t.Context(), "default", newest[0].ID); err != nil || o.Status != "applied" {
			t.Errorf("%s, %v", o.Status, err)
		}
	}
	s.ask(t, "undo", "34 blocks are taken back. 1 stay as they are")
	done()
	s.ask(t, "undo", "2 blocks are taken back.")
	done()
	s.ask(t, "undo", "nothing to take back")
	at := s.call(t, "region_inspect", `{"min":{"x":-3,"y":65,"z":0},"max":{"x":11,"y":69,"z":0},"detail":"summary"}`)
	want := []any{
		map[string]any{"state": "minecraft:air", "count": 74.0}, map[string]any{"state": "minecraft:dirt", "count": 1.0},
	}
	if d := cmp.Diff(want, at["palette"]); d != "" {
		t.Error(d)
	}
}

// TestNewBridge: another bridge gets nothing of what the one before had; writes
// stop, and who asked is told to look.
//
// clause: W-41
func TestNewBridge(t *testing.T) {
	t.Parallel()
	s := talk(t)
	s.ask(t, "a house", "Noted.")
	s.poll(t, "one")
	s.ask(t, "a garden", "Noted.")
	if all, _ := s.poll(t, "two"); len(all) != 0 {
		t.Errorf("the new bridge gets %q", all)
	}
	if c := s.call(t, "project_context", `{}`); c["paused"] != true {
		t.Error("the writes go on")
	}
	if len(s.said) != 2 || !strings.Contains(s.said[0], "look at the world") {
		t.Errorf("told: %q", s.said)
	}
	s.refused(t, "chat_poll", `{"client_id":"one"}`, "conflict", "another bridge")
	s.ask(t, "resume", "goes on")
	s.ask(t, "a shed", "Noted.")
	if all, _ := s.poll(t, "two"); len(all) != 1 || all[0] != "prompt a shed" {
		t.Errorf("then it gets %q", all)
	}
}
