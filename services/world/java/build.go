package java

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// reach is how far a player's hand goes, in blocks from the eye to the middle of
// a block: the 6 of creative mode, and half a block's diagonal.
const reach = 6 + 0.9

// What a client says of digging. In creative mode a block breaks at once.
const (
	digBegun  = 0
	digEnded  = 2
	digOthers = 6 // such as dropping what is in the hand
)

var errSequence = errors.New("an action has a negative number")

// dig breaks a block when digging begins, and the other half of what has two.
func (p *player) dig(ctx context.Context, r *wire.Reader) error {
	status, at := r.Int(), r.Position()
	_ = r.Byte() // the face
	sequence := r.Int()
	if err := r.End(); err != nil {
		return err
	}
	switch {
	case status < 0 || status > digOthers:
		return fmt.Errorf("status %d of digging", status)
	case status > digEnded:
		return nil
	case sequence < 0:
		return errSequence
	case status == digEnded:
		// Some clients show air from here on, whatever came of the beginning.
		p.correct(ctx, at)
	case status == digBegun:
		p.change(ctx, Break, at, []geom.Pos{at, at.Add(up), at.Add(down)}, func(w host.Reader) ([]setting, error) {
			sets := []setting{{at, serial.Air}}
			if other, ok := otherHalf(at, w.At(at)); ok && sameKind(w.At(other), w.At(at)) {
				sets = append(sets, setting{other, serial.Air})
			}
			return sets, nil
		})
	}
	p.acknowledge(sequence)
	return nil
}

// otherHalf is where the other half of a door or a tall plant is.
func otherHalf(at geom.Pos, state string) (geom.Pos, bool) {
	switch blocks.Get(state, "half") {
	case "lower":
		return at.Add(up), true
	case "upper":
		return at.Add(down), true
	}
	return at, false
}

func sameKind(a, b string) bool {
	nameOfA, _ := blocks.Split(a)
	nameOfB, _ := blocks.Split(b)
	return nameOfA == nameOfB && blocks.Get(a, "half") != blocks.Get(b, "half")
}

// place puts a block against another, or in the place of what gives way to it.
func (p *player) place(ctx context.Context, r *wire.Reader) error {
	hand, against, side := r.Int(), r.Position(), r.Int()
	cursor := [3]float32{r.Float(), r.Float(), r.Float()}
	_ = r.Bool() // whether the head is in a block
	sequence := r.Int()
	if err := r.End(); err != nil {
		return err
	}
	switch {
	case hand != 0 && hand != 1:
		return fmt.Errorf("hand %d", hand)
	case side < 0 || side >= int32(len(faces)):
		return fmt.Errorf("face %d", side)
	case sequence < 0:
		return errSequence
	}
	if item := p.hotbar[p.held]; hand == 0 && item != "" {
		s := spot{against: against, face: faces[side], cursor: cursor, stand: p.at()}
		beside := s.beside()
		near := []geom.Pos{against, beside, beside.Add(up), against.Add(up)}
		p.change(ctx, Place, against, near, func(w host.Reader) ([]setting, error) {
			return placed(p.server.world.Blocks(), w, item, s)
		})
	}
	p.acknowledge(sequence)
	return nil
}

// acknowledge has the client show what it was told instead of what it expected.
func (p *player) acknowledge(sequence int32) {
	p.outbox.send(wire.NewPacket(p.server.table.ToClient("play", "acknowledge_player_digging")).Int(sequence))
}

// setting is a block as it is to be.
type setting struct {
	geom.Pos
	state string
}

// change sets what f says, which are some of the blocks near. Where that is
// refused, the client is told why and what really stands at each.
func (p *player) change(
	ctx context.Context, action Action, at geom.Pos, near []geom.Pos, f func(host.Reader) ([]setting, error),
) {
	err := p.within(at)
	if err == nil {
		err = p.edit(ctx, action, near, f)
	}
	if err == nil {
		return
	}
	p.outbox.say(fmt.Sprintf("You cannot %s that: %v.", action, err))
	for _, at := range near {
		p.correct(ctx, at)
	}
}

// edit is a change by the rules. Permissions are asked for before the world's
// lock is taken, since whoever answers may have to look something up.
func (p *player) edit(
	ctx context.Context, action Action, near []geom.Pos, f func(host.Reader) ([]setting, error),
) error {
	box := geom.Box{Min: near[0], Max: near[0]}
	refused := map[geom.Pos]error{}
	for _, at := range near {
		box = box.Union(geom.Box{Min: at, Max: at})
		if may := p.server.options.May; may != nil {
			refused[at] = may(ctx, p.id, action, at)
		}
	}
	_, err := p.server.world.Edit(ctx, host.Cause{Kind: host.ByPlayer, Player: p.id}, box, func(w host.Writer) error {
		sets, err := f(w)
		if err != nil {
			return err
		}
		for _, set := range sets {
			if err := refused[set.Pos]; err != nil {
				return err
			}
			if err := w.Set(set.Pos, set.state); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// correct tells the client what stands at a position that it may show otherwise:
// air where nothing can be read. It goes into the outbox within the view, so that
// it stands before whatever changes there next.
func (p *player) correct(ctx context.Context, at geom.Pos) {
	show := func(state string) {
		id, _ := p.server.world.Blocks().ID(state) // what has no number is shown as air
		p.outbox.send(wire.NewPacket(p.server.table.ToClient("play", "block_change")).Position(at).Int(id))
	}
	if err := p.server.world.View(ctx, geom.Box{Min: at, Max: at}, func(r host.Reader) error {
		show(r.At(at))
		return nil
	}); err != nil {
		show(serial.Air)
	}
}

// within refuses what a hand does not reach.
func (p *player) within(at geom.Pos) error {
	eye := p.at().eye()
	x, y, z := float64(at.X)+0.5-eye[0], float64(at.Y)+0.5-eye[1], float64(at.Z)+0.5-eye[2]
	if math.Sqrt(x*x+y*y+z*z) > reach {
		return errors.New("it is out of reach")
	}
	return nil
}
