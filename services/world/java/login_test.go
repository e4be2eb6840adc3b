package java_test

import (
	"encoding/json"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/java"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// TestLogin: a client is told everything in the order in which it needs it, and
// is where it is put.
func TestLogin(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c := s.dial(t)
	c.begin("Ada_99")
	c.out.Compress(int(c.next("compress").Int()))
	c.packed = true
	success := c.next("success")
	if id, name := success.UUID(), success.String(16); id != java.PlayerID("Ada_99") || name != "Ada_99" || success.Int() != 0 {
		t.Errorf("the client is %s, %s", id, name)
	}
	c.send(c.packet("login_acknowledged"))
	c.state = "configuration"
	c.send(c.packet("custom_payload").String("minecraft:brand").String("test"))
	var order []string
	for !slices.Contains(order, "finish_configuration") {
		name, _, err := c.read()
		must(t, err)
		order = append(order, name)
	}
	if d := cmp.Diff([]string{"custom_payload", "feature_flags", "registry_data", "finish_configuration"}, order); d != "" {
		t.Errorf("configuration (-want +got):\n%s", d)
	}
	c.send(c.packet("finish_configuration"))
	c.state = "play"
	order = nil
	for !slices.Contains(order, "chunk_batch_start") {
		name, r, err := c.read()
		must(t, err)
		c.handle(name, r)
		order = append(order, name)
	}
	want := []string{
		"login", "abilities", "update_health", "spawn_position", "update_time", "position", "player_info", "update_view_position",
		"chunk_batch_start",
	}
	if d := cmp.Diff(want, order); d != "" {
		t.Errorf("play (-want +got):\n%s", d)
	}
	for len(c.seen.chunks) < 25 {
		c.next("map_chunk")
	}
	if got, want := c.seen.at(pos(8, 64, 8)), id(t, "minecraft:grass_block[snowy=false]"); got != want {
		t.Errorf("the ground is %d, not %d", got, want)
	}
	p, ok := s.world.Player(java.PlayerID("Ada_99"))
	if !ok || p.Name != "Ada_99" || p.Feet != [3]float64{8.5, 65, 8.5} || p.Since.IsZero() {
		t.Errorf("the world has %+v (%v)", p, ok)
	}
}

// TestPlayerID: the UUID of a name is the one that every server gives it.
func TestPlayerID(t *testing.T) {
	t.Parallel()
	if got, want := java.PlayerID("Notch").String(), "b50ad385-829d-3141-a216-7e7d7539ba7f"; got != want {
		t.Errorf("Notch is %s, not %s", got, want)
	}
}

// TestRefused: who may not come in is told why.
func TestRefused(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	for name, want := range map[string]string{
		"": "1 to 16", "a b": "1 to 16", "żółw": "1 to 16", "x'": "1 to 16", "§a": "1 to 16",
		strings.Repeat("x", 17): "", // no such packet is read to its end
	} {
		c := s.dial(t)
		c.begin(name)
		if got := c.end(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q is told %q", name, got)
		}
	}
	for _, name := range []string{"x", strings.Repeat("x", 16), "A_9"} {
		s.join(t, name)
	}
	for _, version := range []int32{763, 765, 0, -1, 47} {
		c := s.dial(t)
		c.shake(version, 2)
		c.state = "login"
		if got := c.end(); !strings.Contains(got, "1.20.2 (protocol 764)") {
			t.Errorf("a client of %d is told %q", version, got)
		}
	}
	for _, next := range []int32{0, 3, -1} {
		c := s.dial(t)
		c.shake(764, next)
		if got := c.end(); got != "" {
			t.Errorf("a client that asks for %d is told %q", next, got)
		}
	}
}

// TestFull: the last place is given, and no more; a name that is in may come
// again.
func TestFull(t *testing.T) {
	t.Parallel()
	s := start(t, java.Config{View: 2, Players: 2}, java.Options{})
	first := s.join(t, "one")
	s.join(t, "two")
	c := s.dial(t)
	c.begin("three")
	if got := c.end(); got != "The world is full." {
		t.Errorf("the third is told %q", got)
	}
	s.join(t, "one")
	if got := first.end(); !strings.Contains(got, "from another place") {
		t.Errorf("who came in twice is told %q", got)
	}
	s.join(t, "two").conn.Close()
	until(t, "the second is gone", func() bool { return !s.inside(java.PlayerID("two")) })
	s.join(t, "three")
}

// TestTwice: one name is in the world once, whoever sees it, and however often
// it comes in at once.
func TestTwice(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	watcher := s.join(t, "watcher")
	var again []*client
	for range 5 {
		again = append(again, s.join(t, "again"))
	}
	last := again[len(again)-1]
	last.settle(1)
	for _, c := range again[:len(again)-1] {
		c.end()
	}
	if !s.inside(java.PlayerID("again")) {
		t.Error("the last is not in the world")
	}
	last.conn.Close()
	until(t, "the last is gone", func() bool { return !s.inside(java.PlayerID("again")) })
	var texts []string
	for len(texts) < 10 {
		texts = append(texts, watcher.text())
	}
	for i, text := range texts {
		if want := []string{"again came in.", "again left."}[i%2]; text != want {
			t.Fatalf("text %d is %q, not %q: %q", i, text, want, texts)
		}
	}
}

// TestStatus: a list of servers is told what this is, and its ping comes back.
func TestStatus(t *testing.T) {
	t.Parallel()
	s := start(t, java.Config{View: 2, Title: "Ada's", Players: 7}, java.Options{})
	s.join(t, "Ada")
	c := s.dial(t)
	c.shake(47, 1) // any version may ask
	c.send(wire.NewPacket(0))
	_, r, err := c.read()
	must(t, err)
	var got any
	must(t, json.Unmarshal([]byte(r.String(1<<15)), &got))
	want := map[string]any{
		"version":     map[string]any{"name": "1.20.2", "protocol": 764.},
		"players":     map[string]any{"max": 7., "online": 1.},
		"description": map[string]any{"text": "Ada's"},
	}
	if d := cmp.Diff(any(want), got); d != "" {
		t.Errorf("status (-want +got):\n%s", d)
	}
	c.send(wire.NewPacket(1).Long(-77))
	_, r, err = c.read()
	must(t, err)
	if got := r.Long(); got != -77 {
		t.Errorf("a ping of -77 comes back as %d", got)
	}
	c.end()
}

// TestNotOutside: players of other computers are not let in.
func TestNotOutside(t *testing.T) {
	t.Parallel()
	s, err := java.New(small, memory.New(memory.Config{Pack: pack(t)}), java.Options{})
	must(t, err)
	l, err := net.Listen("tcp", "0.0.0.0:0")
	must(t, err)
	if err := s.Serve(t.Context(), l); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("Serve on every address: %v", err)
	}
	if err := l.Close(); err == nil {
		t.Error("the listener is open still")
	}
}

// TestClose: who is in the world is told that it closes.
func TestClose(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c, waiting := s.join(t, "Ada"), s.dial(t)
	waiting.shake(764, 2)
	s.stop()
	if got := c.end(); got != "The world is closed." {
		t.Errorf("a player is told %q", got)
	}
	if got := waiting.end(); got != "" {
		t.Errorf("who is not in yet is told %q", got)
	}
	if s.inside(java.PlayerID("Ada")) {
		t.Error("a player is in a world that nobody serves")
	}
}

// TestFullMeanwhile: who is on the way while the last place is taken is told so.
func TestFullMeanwhile(t *testing.T) {
	t.Parallel()
	s := start(t, java.Config{View: 2, Players: 1}, java.Options{})
	late := s.dial(t)
	late.begin("late")
	late.out.Compress(int(late.next("compress").Int()))
	late.packed = true
	late.next("success")
	s.join(t, "first")
	late.send(late.packet("login_acknowledged"))
	late.state = "configuration"
	late.next("finish_configuration")
	late.send(late.packet("finish_configuration"))
	late.state = "play"
	if got := late.end(); got != "The world is full." || s.inside(java.PlayerID("late")) {
		t.Errorf("the second is told %q", got)
	}
}
