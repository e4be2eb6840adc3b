package scenario

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// NewVersion makes a draft with copies of the nodes of the latest version, which
// must be published and the one that is expected, else it is a fault.Conflict.
func (s *Service) NewVersion(ctx context.Context, owner, id uuid.UUID, expectedLatest int64) (out Scenario, err error) {
	err = s.change(ctx, owner, id, func(ctx context.Context, w writing) error {
		if !w.repeated || w.scenario.Latest != expectedLatest+1 {
			if err := w.copyLatest(ctx, expectedLatest); err != nil {
				return err
			}
		}
		out, err = load(ctx, w.tx, owner, id)
		return err
	})
	return out, err
}

func (w writing) copyLatest(ctx context.Context, expected int64) error {
	from := w.scenario.Latest
	if from != expected {
		return fault.Newf(fault.Conflict, "the latest version is %d, not %d; read it again", from, expected)
	}
	latest, err := findVersion(ctx, w.tx, w.scenario.ID, from)
	switch {
	case err != nil:
		return err
	case latest.Status != Published:
		return fault.Newf(fault.Conflict, "version %d is still a draft; change or publish it", from)
	case from >= MaxVersions:
		return fault.Newf(fault.Conflict, "a scenario has at most %d versions", MaxVersions)
	}
	if err := insertVersion(ctx, w.tx, w.scenario.ID, from+1, w.now); err != nil {
		return err
	}
	if err := copyNodes(ctx, w.tx, w.scenario.ID, from, w.now); err != nil {
		return err
	}
	w.scenario.Latest = from + 1
	return w.touch(ctx)
}

// Publish publishes a version for good, at the revision that is expected, else
// it is a fault.Conflict. It must have a scene, else it is a
// fault.Unprocessable. Again with the same arguments it gives the same, and
// changes nothing.
func (s *Service) Publish(
	ctx context.Context, owner, id uuid.UUID, version, expectedRevision int64,
) (out Scenario, err error) {
	err = s.change(ctx, owner, id, func(ctx context.Context, w writing) error {
		if err := w.publish(ctx, version, expectedRevision); err != nil {
			return err
		}
		out, err = load(ctx, w.tx, owner, id)
		return err
	})
	return out, err
}

func (w writing) publish(ctx context.Context, version, expected int64) error {
	v, err := findVersion(ctx, w.tx, w.scenario.ID, version)
	if err != nil {
		return err
	}
	if err := expect(v.Revision, expected); err != nil || v.Status == Published {
		return err
	}
	scenes, err := countNodes(ctx, w.tx, w.scenario.ID, version, Scene)
	if err != nil {
		return err
	}
	if scenes == 0 {
		return fault.New(fault.Unprocessable,
			"a version without a scene cannot be published; create a node of kind scene first")
	}
	if err := publishVersion(ctx, w.tx, w.scenario.ID, version, w.now); err != nil {
		return err
	}
	return w.touch(ctx)
}
