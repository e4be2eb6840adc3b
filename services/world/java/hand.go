package java

import (
	"errors"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// atHand is the first of the places of an inventory that are the hotbar.
const atHand = 36

// hold notes which place of the hotbar is in the hand.
func (p *player) hold(r *wire.Reader) error {
	place := int(r.Short())
	if err := r.End(); err != nil {
		return err
	}
	if place < 0 || place >= len(p.hotbar) {
		return fmt.Errorf("place %d of the hotbar", place)
	}
	p.held = place
	return nil
}

// carry notes what a player in creative mode takes in the hand, and tells the
// client that it has it.
func (p *player) carry(r *wire.Reader) error {
	place := r.Short()
	slot := r.Bytes(r.Left())
	if err := r.End(); err != nil {
		return err
	}
	item, err := p.server.item(wire.NewReader(slot))
	if err != nil {
		return err
	}
	if place < 0 {
		return nil // thrown away
	}
	if at := int(place) - atHand; at >= 0 && at < len(p.hotbar) {
		p.hotbar[at] = item
	}
	echo := wire.NewPacket(p.server.table.ToClient("play", "set_slot")).Byte(0).Int(0).Short(place)
	p.outbox.send(echo.Raw(slot))
	return nil
}

// item reads which item it is, "" for none. What it has beside its kind is not
// used.
func (s *Server) item(r *wire.Reader) (name string, err error) {
	if !r.Bool() {
		return "", r.End()
	}
	name, _ = s.table.Item(r.Int())
	_ = r.Byte() // how many
	switch kind := nbt.Kind(r.Byte()); {
	case r.Err() != nil || kind == nbt.KindEnd:
		return name, r.End()
	case kind != nbt.KindCompound:
		return "", errors.New("what an item has is no compound")
	}
	// On the wire the root has no name, in a file it has an empty one.
	file := append([]byte{byte(nbt.KindCompound), 0, 0}, r.Bytes(r.Left())...)
	_, _, err = nbt.Decode(file, nbt.Limits{Bytes: wire.MaxPacket, Depth: 32, Tags: 1 << 12, Alloc: 4 << 20})
	return name, err
}
