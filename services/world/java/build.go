package java

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// reach is how far a player's hand goes, in blocks from the eye to the middle of
// a block: the 6 of creative mode, and half a block's diagonal.
const reach = 6 + 0.9

// What a client says of digging.
const (
	digBegun = 0 // in creative mode a block breaks at once
	digEnded = 2
)

// hold notes which place of the hotbar is in the hand.
func (p *player) hold(r *wire.Reader) error {
	place := int(r.Short())
	if err := r.End(); err != nil {
		return err
	}
	if place < 0 || place > 8 {
		return fmt.Errorf("place %d of the hotbar", place)
	}
	p.held = place
	return nil
}

// hotbar are the places of an inventory that are at hand.
const hotbar = 36

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
	if at := int(place) - hotbar; at >= 0 && at < len(p.hotbar) {
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
	if kind := nbt.Kind(r.Byte()); kind == nbt.KindEnd || r.Err() != nil {
		return name, r.End()
	}
	more := append([]byte{byte(nbt.KindCompound), 0, 0}, r.Bytes(r.Left())...)
	_, _, err = nbt.Decode(more, nbt.Limits{Bytes: wire.MaxPacket, Depth: 32, Tags: 1 << 12, Alloc: 4 << 20})
	return name, err
}

// dig breaks a block.
func (p *player) dig(ctx context.Context, r *wire.Reader) error {
	status, at := r.Int(), r.Position()
	_ = r.Byte() // the face
	sequence := r.Int()
	if err := r.End(); err != nil {
		return err
	}
	if status == digBegun || status == digEnded {
		p.change(ctx, Break, []geom.Pos{at}, func(host.Writer) (geom.Pos, string, error) { return at, "minecraft:air", nil })
	}
	p.acknowledge(sequence)
	return nil
}

// place puts a block against another, or in the place of what gives way to it.
func (p *player) place(ctx context.Context, r *wire.Reader) error {
	hand, against, face := r.Int(), r.Position(), r.Int()
	cursor := [3]float32{r.Float(), r.Float(), r.Float()}
	_ = r.Bool() // whether the head is in a block
	sequence := r.Int()
	if err := r.End(); err != nil {
		return err
	}
	if face < 0 || face >= int32(len(faces)) {
		return fmt.Errorf("face %d", face)
	}
	beside := against.Add(faces[face].to)
	if item := p.hotbar[p.held]; hand == 0 && item != "" {
		p.change(ctx, Place, []geom.Pos{against, beside}, func(w host.Writer) (geom.Pos, string, error) {
			at := beside
			if givesWay(w.At(against)) {
				at = against
			}
			if now := w.At(at); !givesWay(now) {
				return at, now, errors.New("something is there")
			}
			state, err := p.server.oriented(item, faces[face], cursor, p.at())
			return at, state, err
		})
	}
	p.acknowledge(sequence)
	return nil
}

func (p *player) acknowledge(sequence int32) {
	p.outbox.send(wire.NewPacket(p.server.table.ToClient("play", "acknowledge_player_digging")).Int(sequence))
}

// change sets one of the blocks. Where that is refused, the client is told why
// and what really stands at each.
func (p *player) change(
	ctx context.Context, action Action, near []geom.Pos, f func(host.Writer) (geom.Pos, string, error),
) {
	box := geom.NewBox(near[0], near[len(near)-1])
	err := p.near(near[0])
	if err == nil {
		_, err = p.server.world.Edit(ctx, host.Cause{Kind: host.ByPlayer, Player: p.id}, box, func(w host.Writer) error {
			at, state, err := f(w)
			if err != nil {
				return err
			}
			if may := p.server.options.May; may != nil {
				if err := may(ctx, p.id, action, at); err != nil {
					return err
				}
			}
			return w.Set(at, state)
		})
	}
	if err == nil {
		return
	}
	p.outbox.say(fmt.Sprintf("You cannot %s that: %v.", action, err))
	p.correct(ctx, box, near)
}

// correct tells the client what stands at positions that it may show otherwise.
func (p *player) correct(ctx context.Context, box geom.Box, near []geom.Pos) {
	_ = p.server.world.View(ctx, box, func(r host.Reader) error { // what is not there cannot be shown
		for _, at := range near {
			if id, ok := p.server.world.Blocks().ID(r.At(at)); ok {
				p.outbox.send(wire.NewPacket(p.server.table.ToClient("play", "block_change")).Position(at).Int(id))
			}
		}
		return nil
	})
}

// near refuses what a hand does not reach.
func (p *player) near(at geom.Pos) error {
	t := p.at()
	x, y, z := float64(at.X)+0.5-t.feet[0], float64(at.Y)+0.5-t.feet[1]-1.62, float64(at.Z)+0.5-t.feet[2]
	if math.Sqrt(x*x+y*y+z*z) > reach {
		return errors.New("it is out of reach")
	}
	return nil
}

// floor is the block that a point is in.
func floor(point [3]float64) geom.Pos {
	return geom.Pos{X: int32(math.Floor(point[0])), Y: int32(math.Floor(point[1])), Z: int32(math.Floor(point[2]))}
}
