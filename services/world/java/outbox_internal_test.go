package java

import (
	"net"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// newTestPlayer is a player whom nobody reads from or writes to.
func newTestPlayer(t testing.TB) *player {
	t.Helper()
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{}, memory.New(memory.Config{Pack: pack}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	return newPlayer(&visit{server: s, conn: here, wire: wire.NewConn(here, here)}, "Ada", s.spawn(t.Context()))
}

// TestBacklog: as much as the bound waits for a client, be it changes or packets,
// and one byte more is the end.
func TestBacklog(t *testing.T) {
	t.Parallel()
	changes := newTestPlayer(t).outbox
	changes.known[host.ChunkPos{}] = 0
	all := make([]host.Change, backlog/changeCost)
	changes.changed(append(all, host.Change{Pos: geom.Pos{X: 16}})) // one that nobody is told of
	if changes.ended() || len(changes.items) != len(all) {
		t.Fatalf("%d of %d changes are kept, ended: %v", len(changes.items), len(all), changes.ended())
	}
	changes.changed(all[:1])
	if !changes.ended() || changes.last != tooSlow || changes.items != nil {
		t.Errorf("one more: %d items are kept, and the client is told %q", len(changes.items), changes.last)
	}
	packets := newTestPlayer(t).outbox
	big := wire.Packet(make([]byte, backlog/2-packetCost))
	packets.send(&big)
	packets.send(&big)
	if packets.ended() {
		t.Fatal("two halves of the bound are too much")
	}
	packets = newTestPlayer(t).outbox
	more := append(big, 0)
	packets.send(&big)
	packets.send(&more)
	if !packets.ended() {
		t.Error("more than the bound is kept")
	}
	packets.end("another reason")
	if packets.last != tooSlow {
		t.Errorf("the reason became %q", packets.last)
	}
}

// TestPace: four things are said in a second, and not five.
func TestPace(t *testing.T) {
	t.Parallel()
	var p pace
	begin := time.Now()
	for i, test := range []struct {
		after time.Duration
		want  bool
	}{
		{0, true}, {0, true}, {300, true}, {500, true}, {500, false}, {999, false}, {1000, true}, {1000, true}, {1001, false},
		{1299, false}, {1300, true}, {1500, true}, {1501, false}, {5000, true},
	} {
		if got := p.allow(begin.Add(test.after * time.Millisecond)); got != test.want {
			t.Errorf("message %d after %d ms is allowed: %v", i, test.after, got)
		}
	}
}

// TestAlive: a client that does not answer in time is gone, one that does stays.
func TestAlive(t *testing.T) {
	t.Parallel()
	o := newTestPlayer(t).outbox
	begin, silence := time.Now(), o.player.server.config.Silence
	o.ask(begin)
	first := o.asked
	o.ask(begin.Add(silence - 1))
	o.alive(first + 1)
	if o.ended() || o.asked != first || len(o.items) != 1 {
		t.Fatalf("before its time is up: ended %v, %d questions", o.ended(), len(o.items))
	}
	o.alive(first)
	o.ask(begin.Add(silence))
	if o.ended() || len(o.items) != 2 {
		t.Fatalf("after an answer: ended %v, %d questions", o.ended(), len(o.items))
	}
	o.ask(begin.Add(2 * silence))
	if !o.ended() || o.last != silent {
		t.Errorf("after no answer the client is told %q", o.last)
	}
}

// TestLook: the nearest chunks are sent first, a batch at a time, and no more
// than a few that are not confirmed; those that are too far are taken back.
func TestLook(t *testing.T) {
	t.Parallel()
	o := newTestPlayer(t).outbox
	o.see(1) // the least is 2
	sent := 0
	for range unconfirmed {
		_, missing, _ := o.look()
		sent += len(missing)
		if sent == batch && missing[0] != (host.ChunkPos{}) {
			t.Errorf("the first chunk is %v", missing[0])
		}
	}
	if sent != 25 {
		t.Errorf("%d chunks are sent of a view of 2", sent)
	}
	o.see(100)
	if o.view != o.player.server.config.View {
		t.Errorf("the view is %d", o.view)
	}
	if _, missing, _ := o.look(); missing != nil {
		t.Errorf("%d chunks are sent to who confirms none", len(missing))
	}
	o.received()
	if _, missing, _ := o.look(); len(missing) != batch {
		t.Errorf("%d chunks are sent after a confirmation", len(missing))
	}
	o.moved(host.ChunkPos{X: 1000})
	if gone, _, _ := o.look(); len(gone) != 33 || len(o.known) != 0 {
		t.Errorf("%d chunks are taken back, %d are left", len(gone), len(o.known))
	}
}

// TestNews: a client is told what changed after its chunk was read, and nothing
// of chunks that it does not have.
//
// clause: W-18
func TestNews(t *testing.T) {
	t.Parallel()
	o := newTestPlayer(t).outbox
	o.known = map[host.ChunkPos]uint64{{}: 5, {X: -1}: 0}
	var changes []host.Change
	for _, x := range []int32{0, -1, 16} {
		for revision := range uint64(7) {
			changes = append(changes, host.Change{Pos: geom.Pos{X: x}, Revision: revision + 1})
		}
	}
	want := append(slices.Clone(changes[5:7]), changes[7:14]...)
	if d := cmp.Diff(want, o.news(changes)); d != "" {
		t.Errorf("news (-want +got):\n%s", d)
	}
}
