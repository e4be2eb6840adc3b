package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coder/acp-go-sdk"
	"github.com/google/uuid"
)

// builder answers one question.
type builder struct {
	agent   *agent
	world   *world
	session acp.SessionId
	project project
	tools   int // that were called
}

// project is what of project_context is looked at.
type project struct {
	Area         box      `json:"area"`
	Capabilities []string `json:"capabilities"`
	Extensions   []string `json:"extensions"`
	Paused       bool     `json:"paused"`
	Recent       []struct {
		ID     string `json:"operation_id"`
		Status string `json:"status"`
	} `json:"recent"`
}

// plan is what of a plan is looked at.
type plan struct {
	ID      string `json:"plan_id"`
	Hash    string `json:"plan_hash"`
	Changed int    `json:"changed_blocks"`
	Skipped int    `json:"skipped"`
}

// help is the answer to what is not understood.
const help = "I am a small builder without a model and know a few words: house, tower, wall, look and undo."

// say tells the player something. A client that does not hear it has other ways
// to find out.
func (b *builder) say(ctx context.Context, format string, values ...any) {
	_ = b.agent.conn.SessionUpdate(ctx, acp.SessionNotification{
		SessionId: b.session, Update: acp.UpdateAgentMessageText(fmt.Sprintf(format, values...) + "\n"),
	})
}

// use calls a tool, and lets the client see that.
func (b *builder) use(ctx context.Context, tool string, arguments, to any) error {
	b.tools++
	id := acp.ToolCallId(fmt.Sprintf("call-%d", b.tools))
	show := func(u acp.SessionUpdate) {
		_ = b.agent.conn.SessionUpdate(ctx, acp.SessionNotification{SessionId: b.session, Update: u}) // for show alone
	}
	show(acp.StartToolCall(id, "mcp__world__"+tool, acp.WithStartStatus(acp.ToolCallStatusInProgress)))
	err := b.world.call(ctx, tool, arguments, to)
	status := acp.ToolCallStatusCompleted
	if err != nil {
		status = acp.ToolCallStatusFailed
	}
	show(acp.UpdateToolCall(id, acp.WithUpdateStatus(status)))
	return err
}

// answer does what a player asks.
func (b *builder) answer(ctx context.Context, text string) error {
	feet, words, err := heard(text)
	if err != nil {
		return err
	}
	if err := b.use(ctx, "project_context", map[string]any{}, &b.project); err != nil {
		return err
	}
	thing, known := wished(words)
	switch {
	case b.project.Paused && !strings.Contains(words, "look"):
		return errors.New("building is stopped; write /ai resume first")
	case strings.Contains(words, "undo"):
		return b.undo(ctx)
	case known:
		return b.build(ctx, feet, thing)
	case strings.Contains(words, "look"):
		return b.look(ctx, box{feet.add(-3, -1, -3), feet.add(3, 3, 3)}, nil)
	default:
		b.say(ctx, help)
		return nil
	}
}

// build looks at a place, plans, shows the plan, builds, and looks again.
func (b *builder) build(ctx context.Context, feet pos, thing building) error {
	place, err := site(feet, thing.size, b.project.Area)
	if err != nil {
		return err
	}
	var seen struct {
		Palette []struct {
			State string `json:"state"`
			Count int    `json:"count"`
		} `json:"palette"`
	}
	if err := b.use(ctx, "region_inspect", map[string]any{"min": place.Min, "max": place.Max, "detail": "summary"}, &seen); err != nil {
		return err
	}
	b.say(ctx, "I looked at the place from %d %d %d on: there are %d kinds of blocks.", place.Min.X, place.Min.Y, place.Min.Z, len(seen.Palette))
	var p plan
	recipe := map[string]any{"version": 1, "operations": thing.operations(place.Min)}
	if err := b.use(ctx, "build_prepare", map[string]any{"recipe": recipe}, &p); err != nil {
		return err
	}
	if p.Changed == 0 {
		b.say(ctx, "A %s stands there already.", thing.name)
		return nil
	}
	b.say(ctx, "The plan of a %s changes %d blocks.", thing.name, p.Changed)
	if slices.Contains(b.project.Extensions, "render") {
		if err := b.look(ctx, place, map[string]any{"plan_id": p.ID}); err != nil {
			return err
		}
	}
	operation, err := b.apply(ctx, p)
	if err != nil {
		return err
	}
	b.say(ctx, "The %s stands: %d blocks. undo takes it back.", thing.name, p.Changed)
	return b.look(ctx, place, map[string]any{"after_operation_id": operation})
}

// undo takes the newest build back.
func (b *builder) undo(ctx context.Context) error {
	for _, o := range b.project.Recent {
		if b.agent.undos[o.ID] { // what it took back is not wanted again; a turn has the map for itself
			continue
		}
		var p plan
		err := b.use(ctx, "operation_undo_prepare", map[string]any{"operation_id": o.ID}, &p)
		switch {
		case err != nil && strings.HasPrefix(err.Error(), "nothing_to_undo"):
			continue
		case err != nil:
			return err
		}
		operation, err := b.apply(ctx, p)
		if err != nil {
			return err
		}
		b.agent.undos[operation] = true
		b.say(ctx, "I took %d blocks back.", p.Changed)
		return nil
	}
	b.say(ctx, "There is nothing to take back.")
	return nil
}

// apply asks whether it may, builds a plan, and waits for the end.
func (b *builder) apply(ctx context.Context, p plan) (operation string, err error) {
	allowed, err := b.ask(ctx, "build_apply")
	if err != nil || !allowed {
		return "", errors.Join(err, errors.New("the client does not let me build"))
	}
	var o struct {
		ID        string `json:"operation_id"`
		Status    string `json:"status"`
		Written   int    `json:"written"`
		Conflicts int    `json:"conflicts"`
		Paused    bool   `json:"paused"`
	}
	request := map[string]any{"plan_id": p.ID, "plan_hash": p.Hash, "idempotency_key": uuid.NewString()}
	if err := b.use(ctx, "build_apply", request, &o); err != nil {
		return "", err
	}
	for o.Status == "queued" || o.Status == "applying" {
		if o.Paused {
			return "", errors.New("building was stopped")
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
		if err := b.use(ctx, "operation_status", map[string]any{"operation_id": o.ID}, &o); err != nil {
			return "", err
		}
	}
	if o.Status != "applied" {
		return "", fmt.Errorf("the build ended as %s: %d blocks are written, and %d were not as planned", o.Status, o.Written, o.Conflicts)
	}
	return o.ID, nil
}

// ask asks the client whether a tool may be called.
func (b *builder) ask(ctx context.Context, tool string) (bool, error) {
	reply, err := b.agent.conn.RequestPermission(ctx, acp.RequestPermissionRequest{
		SessionId: b.session,
		ToolCall:  acp.ToolCallUpdate{ToolCallId: acp.ToolCallId("may-" + tool), Title: acp.Ptr("mcp__world__" + tool)},
		Options: []acp.PermissionOption{
			{OptionId: "yes", Name: "Yes", Kind: acp.PermissionOptionKindAllowOnce},
			{OptionId: "no", Name: "No", Kind: acp.PermissionOptionKindRejectOnce},
		},
	})
	return err == nil && reply.Outcome.Selected != nil && reply.Outcome.Selected.OptionId == "yes", err
}

// look takes a picture of a place from the south-west and above, if there is a
// camera. Without a picture it says so: it never describes one that did not come.
func (b *builder) look(ctx context.Context, place box, with map[string]any) error {
	if !slices.Contains(b.project.Capabilities, "camera_capture") {
		return nil
	}
	request := map[string]any{"pose": map[string]any{
		"x": float64(place.Min.X) - 8, "y": float64(place.Max.Y) + 4, "z": float64(place.Max.Z) + 8, "yaw": -135.0, "pitch": 30.0,
		"width": 320, "height": 180,
	}}
	for name, value := range with {
		request[name] = value
	}
	var shot struct {
		ID     string `json:"captureId"`
		Status string `json:"status"`
		View   int    `json:"view_blocks"`
	}
	for {
		if err := b.use(ctx, "camera_capture", request, &shot); err != nil {
			if ctx.Err() == nil && !errors.Is(err, errConnection) {
				b.say(ctx, "I have no picture of it: %v", err)
				return nil
			}
			return err
		}
		if shot.Status == "done" {
			b.say(ctx, "I have a picture of it, from where one sees %d blocks far.", shot.View)
			return nil
		}
		request = map[string]any{"capture_id": shot.ID}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
