package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world"
	"github.com/pharos-mcp/pharos/services/world/bridge"
	"github.com/pharos-mcp/pharos/services/world/chat"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// worldBoard is what players ask, by the world's RPC.
type worldBoard struct {
	catalog  tool.Catalog
	exchange *tool.Upstream
	members  map[string]json.RawMessage // for whom, and where
	wait     time.Duration              // for a question
}

var _ bridge.Board = (*worldBoard)(nil)

// The bounds of asking.
const (
	worldBoardWait  = 15 * time.Second // less than the world lets anybody wait
	worldBoardReply = 4 << 20          // bytes
)

// newWorldBoard asks with the administrator's key.
func newWorldBoard(c worldMCPConfig, admin string) (*worldBoard, error) {
	x, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"world": {
		BaseURL: c.RPC, Timeout: worldRPCTime, Reply: worldBoardReply,
		Apply: func(_ context.Context, r *http.Request, _ *tool.Operation) error {
			r.Header.Set("Authorization", "Bearer "+admin)
			return nil
		},
	}})
	if err != nil {
		return nil, fmt.Errorf("world_mcp.rpc: %w", err)
	}
	return &worldBoard{
		catalog: catalog.Remote(), exchange: x,
		wait:    worldBoardWait,
		members: map[string]json.RawMessage{"player_id": quoted(c.PlayerID), "project_id": quoted(c.ProjectID)},
	}, nil
}

// call calls a method.
func (b *worldBoard) call(ctx context.Context, method string, arguments, to any) error {
	data, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(b.catalog.Operations, func(o tool.Operation) bool { return o.Tool == method })
	reply, err := b.catalog.Dispatch(tool.WithInjected(ctx, b.members), b.exchange, &b.catalog.Operations[i], data)
	if err != nil {
		return err
	}
	return json.Unmarshal(reply.Body, to)
}

// refusedWith reports whether the world refused with one of these codes.
func refusedWith(err error, codes ...fault.Code) bool {
	refusal, ok := errors.AsType[*tool.RemoteError](err)
	return ok && slices.Contains(codes, fault.Code(refusal.Code))
}

// Poll implements bridge.Board.
func (b *worldBoard) Poll(ctx context.Context, client string) ([]chat.Message, error) {
	var got worldapi.MessagesModel
	err := b.call(ctx, "chat_poll", map[string]any{"client_id": client, "wait_ms": b.wait.Milliseconds()}, &got)
	if refusedWith(err, fault.Conflict) {
		return nil, bridge.ErrDisplaced
	}
	if err != nil {
		return nil, err
	}
	messages := make([]chat.Message, len(got.Messages))
	for i, m := range got.Messages {
		player, err := uuid.Parse(m.PlayerID)
		if err != nil {
			return nil, err
		}
		messages[i] = chat.Message{ID: m.ID, Player: player, Project: m.ProjectID, Text: m.Text, Type: chat.Type(m.Type)}
		if p := m.Position; p != nil {
			messages[i].Position = [3]float64{p.X, p.Y, p.Z}
		}
		if p := m.Target; p != nil {
			messages[i].Target = &geom.Pos{X: int32(p.X), Y: int32(p.Y), Z: int32(p.Z)}
		}
	}
	return messages, nil
}

// Reply implements bridge.Board. What the world will never take is over for it.
func (b *worldBoard) Reply(ctx context.Context, r chat.Reply) error {
	arguments := map[string]any{"id": r.ID, "playerId": r.Player, "text": r.Text, "done": r.Done}
	if r.Error != "" {
		arguments["error"] = r.Error
	}
	var accepted worldapi.ChatReply200Model
	err := b.call(ctx, "chat_reply", arguments, &accepted)
	if refusedWith(err, fault.NotFound, fault.Invalid, world.PermissionDenied) {
		return fmt.Errorf("%w: %w", bridge.ErrOver, err)
	}
	return err
}
