package assignment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// The categories of consequences.
const (
	Resource     = "resource"
	Relationship = "relationship"
	Discovery    = "discovery"
	Narrative    = "narrative"
)

var categories = []string{Resource, Relationship, Discovery, Narrative}

// Turn is a turn to be committed.
type Turn struct {
	OperationID     uuid.UUID
	ExpectedVersion int64
	PlayerAction    string
	Narration       string
	Memory          string // replaces what was there
	CurrentScene    string
	Consequences    []Effect
}

// Effect is a consequence that a turn proposes.
type Effect struct {
	Category    string `json:"category"`
	Description string `json:"description"`
}

// Receipt is the answer to a turn: what its commit wrote. Like every answer to
// an operation it is kept as JSON.
type Receipt struct {
	SessionID    uuid.UUID  `json:"session_id"`
	Version      int64      `json:"version"`
	Consequences []Recorded `json:"consequences"`
	Replayed     bool       `json:"-"` // it was written by an earlier call
}

// Recorded is a consequence as its turn wrote it.
type Recorded struct {
	ID          uuid.UUID `json:"id"`
	Status      string    `json:"status"`
	Category    string    `json:"category"`
	Description string    `json:"description"`
}

// Commit writes a turn.
func (s *Service) Commit(ctx context.Context, seat Seat, t Turn) (Receipt, error) {
	if err := t.check(); err != nil {
		return Receipt{}, err
	}
	o := newOperation(turnKind, t.OperationID, seat.AssignmentID, seat.PlayerID, t.ExpectedVersion, t.content())
	r, replayed, err := perform(ctx, s, o, t.apply)
	r.Replayed = replayed
	return r, err
}

// apply writes a turn on a locked assignment.
func (t Turn) apply(ctx context.Context, tx pgx.Tx, a locked, now time.Time) (Receipt, error) {
	if err := a.mayPlay(ctx, tx, t.CurrentScene); err != nil {
		return Receipt{}, err
	}
	r := Receipt{SessionID: a.id, Version: a.version + 1, Consequences: []Recorded{}}
	pending := int64(0)
	for _, e := range t.Consequences {
		status := Pending
		if slices.Contains(a.autoApprove, e.Category) {
			status = Approved
		} else {
			pending++
		}
		r.Consequences = append(r.Consequences, Recorded{uuid.New(), status, e.Category, e.Description})
	}
	e := event{kind: turnKind, action: t.PlayerAction, narration: t.Narration, scene: t.CurrentScene}
	if err := tell(ctx, tx, a.id, r.Version, e, now); err != nil {
		return Receipt{}, err
	}
	if err := propose(ctx, tx, r, now); err != nil {
		return Receipt{}, err
	}
	return r, a.play(ctx, tx, t.Memory, t.CurrentScene, pending, now)
}

// mayPlay refuses what is no published scene. The scene that the assignment is
// in is one.
func (a locked) mayPlay(ctx context.Context, tx pgx.Tx, id string) error {
	if id == a.scene {
		return nil
	}
	may := slices.Contains(a.publishedNodes, id)
	if may {
		var err error
		if may, err = isScene(ctx, tx, a.scenario, a.source, id); err != nil {
			return err
		}
	}
	if !may {
		return fault.New(fault.Unprocessable,
			"current_scene must be the id of a published scene; read the context for them")
	}
	return nil
}

// check holds a turn against its bounds.
func (t Turn) check() error {
	if len(t.Consequences) > MaxConsequences {
		return fault.Newf(fault.Unprocessable, "consequences has %d entries; it must have 0 to %d",
			len(t.Consequences), MaxConsequences)
	}
	if err := check.All(
		check.Text("player_action", t.PlayerAction, 0, MaxAction),
		check.Text("narration", t.Narration, 0, MaxNarration),
		check.Text("memory_markdown", t.Memory, 0, MaxMemory),
		check.Text("current_scene", t.CurrentScene, 1, MaxScene),
	); err != nil {
		return err
	}
	for i, e := range t.Consequences {
		name := fmt.Sprintf("consequences[%d]", i)
		if err := check.All(
			check.Choice(name+".category", e.Category, categories...),
			check.Text(name+".description", e.Description, 1, MaxDescription),
		); err != nil {
			return err
		}
	}
	return nil
}

// content is what a digest of a turn covers beside the version.
func (t Turn) content() any {
	return struct {
		PlayerAction string   `json:"player_action"`
		Narration    string   `json:"narration"`
		Memory       string   `json:"memory_markdown"`
		CurrentScene string   `json:"current_scene"`
		Consequences []Effect `json:"consequences"`
	}{t.PlayerAction, t.Narration, t.Memory, t.CurrentScene, append([]Effect{}, t.Consequences...)}
}
