package java

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// limit is how far from the middle of the world a player may go.
const limit = 29999984

// take handles one packet of a client who plays. What a client may send and this
// world has no use for is not looked at.
func (p *player) take(ctx context.Context, name string, r *wire.Reader) error {
	switch name {
	case "":
		return errors.New("a packet that there is not")
	case "teleport_confirm":
		if id := r.Int(); id == p.awaited {
			p.awaited = 0
		}
	case "position":
		p.move(func(t *stand) { t.feet = point(r); t.ground = r.Bool() }, r)
	case "position_look":
		p.move(func(t *stand) { t.feet = point(r); t.yaw, t.pitch = r.Float(), r.Float(); t.ground = r.Bool() }, r)
	case "look":
		p.move(func(t *stand) { t.yaw, t.pitch = r.Float(), r.Float(); t.ground = r.Bool() }, r)
	case "flying":
		p.move(func(t *stand) { t.ground = r.Bool() }, r)
	case "settings":
		_ = r.String(16)
		p.outbox.see(int(int8(r.Byte())))
		return r.Err()
	case "chunk_batch_received":
		_ = r.Float()
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
// it was put.
func (p *player) move(change func(*stand), r *wire.Reader) {
	t := p.at()
	change(&t)
	if r.Err() != nil || p.awaited != 0 {
		return
	}
	for i, v := range t.feet {
		bound := float64(limit)
		if i == 1 {
			bound = 20000000
		}
		if v > bound || v < -bound {
			return
		}
	}
	p.mu.Lock()
	p.stand = t
	p.mu.Unlock()
	p.server.world.Move(p.player())
	p.outbox.moved(t.chunk())
}

// chat shows everybody what a player says.
func (p *player) chat(r *wire.Reader) error {
	text := r.String(256)
	if err := readable(text, r); err != nil {
		return err
	}
	if !p.outbox.mayTalk() {
		p.outbox.say("You talk too fast: nobody heard that.")
		return nil
	}
	p.server.world.Chat(p.id, text)
	for _, other := range p.server.all() {
		other.outbox.say("<" + p.name + "> " + text)
	}
	return nil
}

// command does what stands behind a slash.
func (p *player) command(ctx context.Context, r *wire.Reader) error {
	text := r.String(256)
	if err := readable(text, r); err != nil {
		return err
	}
	name, words, _ := strings.Cut(text, " ")
	if name != "ai" || p.server.options.Ask == nil {
		p.outbox.say(fmt.Sprintf("There is no command /%s. To talk to the builder, write /ai and what you wish.", name))
		return nil
	}
	if answer := p.server.options.Ask(ctx, p.player(), strings.TrimSpace(words)); answer != "" {
		p.outbox.say(answer)
	}
	return nil
}

// readable refuses what cannot be shown: control characters, and the sign that
// begins a colour.
func readable(text string, r *wire.Reader) error {
	if r.Err() != nil {
		return r.Err()
	}
	if strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) || c == '§' }) {
		return errors.New("a message has control characters")
	}
	return nil
}
