package scenario

import (
	"bytes"
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/receipt"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// creation names the rule by which two creations are the same.
const creation = "pharos.play.scenario.v1"

// Create makes a scenario whose version 1 is a draft. The same identifier with
// the same content gives the scenario that there is, whatever has become of its
// versions; with other content, or of another owner, it is a fault.Exists. More
// than MaxScenarios are a fault.Conflict.
func (s *Service) Create(ctx context.Context, owner uuid.UUID, n NewScenario) (out Scenario, err error) {
	if err := n.check(); err != nil {
		return Scenario{}, err
	}
	now, request := pg.Time(s.now()), n.digest()
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if err := lockAuthor(ctx, tx, owner); err != nil {
			return err
		}
		made, err := creationOf(ctx, tx, owner, n.ID)
		switch {
		case err != nil:
			return err
		case made != nil && !bytes.Equal(made, request):
			return taken()
		case made == nil:
			if err := begin(ctx, tx, owner, n, request, now); err != nil {
				return err
			}
		}
		out, err = load(ctx, tx, owner, n.ID)
		return err
	})
	return out, err
}

func (n NewScenario) check() error {
	return check.All(
		check.Text("title", n.Title, 1, MaxTitle),
		check.Text("summary", n.Summary, 0, MaxSummary),
		check.Choice("language", n.Language, English, Polish),
	)
}

// digest tells a creation from another one under the same identifier.
func (n NewScenario) digest() []byte {
	sum := receipt.Hash(creation, []string{n.Title, n.Summary, n.Language})
	return sum[:]
}

func taken() error {
	return fault.New(fault.Exists, "the identifier is taken by another scenario; choose a new one")
}
