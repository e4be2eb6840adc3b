package java

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// longest is how many characters a client may say at once, as the game has it.
const longest = 256

// pace bounds what a player says: as many messages and commands a second as it
// remembers.
type pace struct {
	said [4]time.Time
	next int
}

// allow reports whether something may be said now, and counts it if so.
func (p *pace) allow(now time.Time) bool {
	if first := p.said[p.next]; !first.IsZero() && now.Sub(first) < time.Second {
		return false
	}
	p.said[p.next] = now
	p.next = (p.next + 1) % len(p.said)
	return true
}

// chat has the world hear what a player says.
func (p *player) chat(r *wire.Reader) error {
	text, err := said(r)
	if err != nil {
		return err
	}
	if p.mayTalk() {
		p.server.world.Chat(p.id, text)
	}
	return nil
}

// command does what stands behind a slash.
func (p *player) command(ctx context.Context, r *wire.Reader) error {
	text, err := said(r)
	if err != nil {
		return err
	}
	if !p.mayTalk() {
		return nil
	}
	name, words, _ := strings.Cut(text, " ")
	ask := p.server.options.Ask
	switch {
	case ask == nil:
		p.outbox.say(fmt.Sprintf("There is no command /%s.", name))
	case name != "ai":
		p.outbox.say(fmt.Sprintf("There is no command /%s. To talk to the builder, write /ai and what you wish.", name))
	default:
		who := p.player()
		who.Target = p.target(ctx)
		if answer := ask(ctx, who, strings.TrimSpace(words)); answer != "" {
			p.outbox.say(answer)
		}
	}
	return nil
}

func (p *player) mayTalk() bool {
	if p.pace.allow(time.Now()) {
		return true
	}
	p.outbox.say("You talk too fast: nobody heard that.")
	return false
}

// said reads a text; the signatures behind it prove nothing here. It refuses what
// cannot be shown: control characters, and the sign that begins a colour.
func said(r *wire.Reader) (string, error) {
	text := r.String(longest)
	if r.Err() != nil {
		return "", r.Err()
	}
	if strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) || c == '§' }) {
		return "", errors.New("a message has control characters")
	}
	return text, nil
}
