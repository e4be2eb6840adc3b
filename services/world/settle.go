package world

import (
	"context"
	"errors"
)

// Settle waits until nobody works at any operation, so that a process that stops
// in good order leaves none to a person (W-20). It waits for none that is paused.
// Calls must have stopped before.
func (s *Service) Settle(ctx context.Context) error {
	unfinished, err := s.Journal.Unfinished(ctx)
	for _, o := range unfinished {
		if o.Status.Active() && !o.Paused {
			_, left := s.Engine.Wait(ctx, o.Project, o.ID)
			err = errors.Join(err, left)
		}
	}
	return err
}
