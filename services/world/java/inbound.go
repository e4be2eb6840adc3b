package java

import (
	"context"
	"errors"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// How far from the middle of the world a player may go.
const (
	widest  = 29999984
	highest = 20000000
)

// take handles one packet of a client who plays. What a client may send and this
// world has no use for is not looked at.
func (p *player) take(ctx context.Context, name string, r *wire.Reader) error {
	switch name {
	case "":
		return errors.New("there is no such packet")
	case "teleport_confirm":
		if id := r.Int(); id == p.awaited {
			p.awaited = 0
		}
	case "position":
		p.move(r, func(t *stand) { t.feet = point(r); t.ground = r.Bool() })
	case "position_look":
		p.move(r, func(t *stand) { t.feet = point(r); t.yaw, t.pitch = r.Float(), r.Float(); t.ground = r.Bool() })
	case "look":
		p.move(r, func(t *stand) { t.yaw, t.pitch = r.Float(), r.Float(); t.ground = r.Bool() })
	case "flying":
		p.move(r, func(t *stand) { t.ground = r.Bool() })
	case "settings":
		return p.settings(r)
	case "chunk_batch_received":
		_ = r.Float() // how many chunks at a time the client would like
		p.outbox.received()
	case "keep_alive":
		p.outbox.alive(r.Long())
	case "held_item_slot":
		return p.hold(r)
	case "set_creative_slot":
		return p.carry(r)
	case "block_dig":
		return p.dig(ctx, r)
	case "block_place":
		return p.place(ctx, r)
	case "chat_message":
		return p.chat(r)
	case "chat_command":
		return p.command(ctx, r)
	default:
		return nil
	}
	return r.End()
}

func point(r *wire.Reader) [3]float64 { return [3]float64{r.Double(), r.Double(), r.Double()} }

// move changes where a player stands, unless the client has yet to confirm where
// it was put, or goes where there is no world.
func (p *player) move(r *wire.Reader, change func(*stand)) {
	t := p.at()
	change(&t)
	if r.End() != nil || p.awaited != 0 {
		return
	}
	for i, bound := range [3]float64{widest, highest, widest} {
		if t.feet[i] > bound || t.feet[i] < -bound {
			return
		}
	}
	p.mu.Lock()
	p.stand = t
	p.mu.Unlock()
	p.server.world.Move(p.player())
	p.outbox.moved(t.chunk())
}

// settings notes how far the client wants to see. All else that it may wish for
// is for the client itself.
func (p *player) settings(r *wire.Reader) error {
	_ = r.String(16) // language
	view := int(int8(r.Byte()))
	_, _ = r.Int(), r.Bool() // what it shows of chat
	_, _ = r.Byte(), r.Int() // parts of the skin, the main hand
	_, _ = r.Bool(), r.Bool()
	if err := r.End(); err != nil {
		return err
	}
	p.outbox.see(view)
	return nil
}
