package world

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/chat"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/plan"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// usage is shown to who says nothing.
const usage = "Write /ai and what you wish, or /ai stop, resume, undo or status."

// Ask does what a player says behind /ai: one of the words stop, resume, undo and
// status, or a wish for the builder. It returns what is shown to that player.
func (s *Service) Ask(ctx context.Context, player host.Player, words string) string {
	p, err := s.Book.For(player.ID, player.Name)
	if err != nil {
		return shown(err)
	}
	switch strings.ToLower(strings.TrimSpace(words)) { // who shouts "Stop" means it
	case "":
		return usage
	case "stop":
		return s.askStop(ctx, p)
	case "resume":
		return s.askResume(ctx, p)
	case "undo":
		return s.askUndo(ctx, p)
	case "status":
		return s.askStatus(ctx, p)
	}
	paused, err := s.Engine.Paused(ctx, p.ID)
	if err != nil {
		return shown(err)
	}
	if paused {
		return "Building is stopped. Write /ai resume first."
	}
	err = s.Board.Ask(chat.Message{Player: player.ID, Project: p.ID, Text: words, Position: player.Feet, Target: player.Target})
	if err != nil {
		return shown(err)
	}
	if _, waiting := s.Board.Turn(p.ID); waiting > 1 {
		return fmt.Sprintf("Noted; %d wishes are before it.", waiting-1)
	}
	return "Noted."
}

// askStop stops all writes of a project, and only then has the bridge end its
// turn: once this returns, no block changes (W-41).
func (s *Service) askStop(ctx context.Context, p project.Project) string {
	err := s.Engine.Pause(ctx, p.ID)
	s.Board.Stop(p.ID)
	if err != nil {
		return "Building is stopped, but a restart may forget that: " + shown(err)
	}
	return "Building is stopped. What was built stays. /ai resume lets it go on, /ai undo takes it back."
}

func (s *Service) askResume(ctx context.Context, p project.Project) string {
	if err := s.Engine.Resume(ctx, p.ID); err != nil {
		return shown(err)
	}
	return "Building goes on."
}

// within is how many operations are looked through for one to take back.
const within = 100

// askUndo takes back the newest build of a project that has blocks of its own.
// What took something back is none: a second undo goes further back.
func (s *Service) askUndo(ctx context.Context, p project.Project) string {
	c, err := s.admit("operation_undo_prepare", p.Owner.String(), p.ID)
	if err != nil {
		return shown(err)
	}
	newest, err := s.Journal.UndoList(ctx, p.ID, within)
	if err != nil {
		return shown(err)
	}
	for _, o := range newest {
		if o.Kind == journal.Undo {
			continue
		}
		estate, err := s.Engine.Estate(ctx, p.ID, o.ID)
		if err != nil {
			return shown(err)
		}
		if len(estate.Own) == 0 {
			continue
		}
		reverse, skipped, err := s.undo(ctx, c, estate)
		if fault.CodeOf(err) == plan.NothingToUndo {
			continue
		}
		if err != nil {
			return shown(err)
		}
		_, err = s.Engine.Apply(ctx, journal.Request{
			Project: p.ID, Player: c.player, Plan: reverse.ID, Hash: reverse.Hash, Key: uuid.NewString(), Area: &p.Area,
		})
		if err != nil {
			return shown(err)
		}
		answer := fmt.Sprintf("%d blocks are taken back.", len(reverse.Changes))
		if skipped > 0 {
			answer += fmt.Sprintf(" %d stay as they are, because somebody changed them since.", skipped)
		}
		return answer
	}
	return "There is nothing to take back."
}

func (s *Service) askStatus(ctx context.Context, p project.Project) string {
	paused, err := s.Engine.Paused(ctx, p.ID)
	if err != nil {
		return shown(err)
	}
	newest, err := s.Journal.Recent(ctx, p.ID, 1)
	if err != nil {
		return shown(err)
	}
	text, waiting := s.Board.Turn(p.ID)
	answer := "The builder has nothing to do."
	if text != "" {
		answer = fmt.Sprintf("The builder works at: %s. %d wishes wait.", text, waiting)
	}
	if len(newest) > 0 {
		o := newest[0]
		answer += fmt.Sprintf(" The last build is %s: %d of %d blocks, %d left alone.", o.Status, o.Written, o.Total, o.Conflicts)
	}
	if paused {
		answer += " Building is stopped; /ai resume lets it go on."
	}
	return answer
}

// shown is an error as a player reads it.
func shown(err error) string { return "That is not possible: " + fault.From(err).Message + "." }
