package protocol_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/java/protocol"
)

// TestLoad: the numbers are those that the protocol's description has.
func TestLoad(t *testing.T) {
	t.Parallel()
	p, err := protocol.Load("1.20.2")
	if err != nil {
		t.Fatal(err)
	}
	if p.Protocol != 764 || p.Version != "1.20.2" || p.Player != 122 {
		t.Errorf("protocol %d of %s, players are %d", p.Protocol, p.Version, p.Player)
	}
	for want, got := range map[int32]int32{
		2: p.ToClient("login", "success"), 5: p.ToClient("configuration", "registry_data"), 0x25: p.ToClient("play", "map_chunk"),
		0x29: p.ToClient("play", "login"),
	} {
		if got != want {
			t.Errorf("a packet has %#x, want %#x", got, want)
		}
	}
	if name := p.FromClient("play", 0); name != "teleport_confirm" {
		t.Errorf("the first packet of a player is %q", name)
	}
	if name := p.FromClient("play", 5000); name != "" {
		t.Errorf("a number that is none is %q", name)
	}
	if name, ok := p.Item(1); name != "stone" || !ok {
		t.Errorf("item 1 is %q", name)
	}
	if p.Registry[0] != 10 || len(p.Registry) < 30000 {
		t.Errorf("%d bytes of registry begin with %d", len(p.Registry), p.Registry[0])
	}
	if _, err := protocol.Load("1.8"); err == nil {
		t.Error("a version that is not there was loaded")
	}
}
