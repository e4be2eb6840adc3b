package world

import (
	"context"
	"errors"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/chat"
)

// ChatPoll implements catalog.Handler (W-40, W-41).
func (s *Service) ChatPoll(ctx context.Context, in *catalog.ChatPollInput) (to worldapi.MessagesModel, err error) {
	if _, err := s.admit("chat_poll", in.Body.PlayerID, in.Body.ProjectID); err != nil {
		return to, err
	}
	wait := time.Duration(0)
	if in.Body.WaitMs != nil {
		wait = time.Duration(*in.Body.WaitMs) * time.Millisecond
	}
	waiting, end := context.WithTimeout(ctx, wait)
	defer end()
	messages, err := s.Board.Poll(waiting, in.Body.ClientID, func(projects []string) error { return s.stopAll(ctx, projects) })
	if err != nil {
		return to, err
	}
	to.Messages = make([]worldapi.MessageModel, len(messages))
	for i, m := range messages {
		to.Messages[i] = messageTo(m)
	}
	return to, nil
}

// stopAll stops the writes of projects whose bridge is gone: nobody knows any
// more what was still to be done.
func (s *Service) stopAll(ctx context.Context, projects []string) error {
	var failed []error
	for _, id := range projects {
		failed = append(failed, s.Engine.Pause(ctx, id))
	}
	if err := errors.Join(failed...); err != nil {
		return fault.New(fault.Unavailable, "the writes of the bridge before cannot be stopped for good yet; ask again")
	}
	return nil
}

func messageTo(m chat.Message) worldapi.MessageModel {
	to := worldapi.MessageModel{
		ID: m.ID, PlayerID: m.Player.String(), ProjectID: m.Project, Text: m.Text, Type: string(m.Type),
		Position: &worldapi.MessagePositionModel{X: m.Position[0], Y: m.Position[1], Z: m.Position[2]},
	}
	if m.Target != nil {
		at := posTo(*m.Target)
		to.Target = &at
	}
	return to
}

// ChatReply implements catalog.Handler (W-40).
func (s *Service) ChatReply(_ context.Context, in *catalog.ChatReplyInput) (to worldapi.ChatReply200Model, err error) {
	if _, err := s.admit("chat_reply", in.Body.PlayerID2, in.Body.ProjectID); err != nil {
		return to, err
	}
	player, err := parse("playerId", in.Body.PlayerID)
	if err != nil {
		return to, err
	}
	r := chat.Reply{ID: in.Body.ID, Player: player, Text: in.Body.Text, Done: in.Body.Done}
	if in.Body.Error != nil {
		r.Error = *in.Body.Error
	}
	return worldapi.ChatReply200Model{Accepted: true}, s.Board.Reply(r)
}
