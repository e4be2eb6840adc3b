package journal

import (
	"context"
	"fmt"
	"regexp"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/worlddb"
)

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// change writes about an operation and returns it as it is then, also with
// ErrStop.
func (s *Store) change(
	ctx context.Context, operation uuid.UUID, f func(ctx context.Context, l locked, p progress) error,
) (o Operation, err error) {
	stop := false
	err = s.write(ctx, func(ctx context.Context, l locked) error {
		p, err := l.progress(ctx, operation)
		if err != nil {
			return err
		}
		err = f(ctx, l, p)
		if stop = err == ErrStop; err != nil && !stop {
			return err
		}
		o, err = s.operation(ctx, l.tx, operation)
		return err
	})
	switch {
	case err != nil:
		return Operation{}, err
	case stop:
		return o, ErrStop
	}
	return o, nil
}

// Finish ends an operation as applied, conflict, cancelled or failed, none of
// whose slices is open. In a conflict all that was not written counts as left
// alone.
func (s *Store) Finish(ctx context.Context, operation uuid.UUID, status Status, reason string) (Operation, error) {
	if !status.Ended() {
		return Operation{}, fmt.Errorf("%s is no end of an operation", status)
	}
	return s.change(ctx, operation, func(ctx context.Context, l locked, p progress) error {
		switch {
		case p.status == status && p.Digest == nil:
			return nil
		case !p.status.Active():
			return fmt.Errorf("operation %s is %s and cannot end as %s", operation, p.status, status)
		}
		_, err := queries.EndOperation(ctx, l.tx, worlddb.EndOperationParams{
			ID: operation, WorldID: l.world, Status: string(status), Reason: clip(reason, MaxReason), EndedAt: l.now,
			LeftAlone: p.wrote.rest(int(p.Total)).encode(),
		})
		if err != nil || status != Applied {
			return err
		}
		return queries.ProlongNext(ctx, l.tx, worlddb.ProlongNextParams{ID: p.PlanID, ExpiresAt: l.now.Add(Lifetime)})
	})
}

// RequireRecovery has an active operation wait for a decision.
func (s *Store) RequireRecovery(ctx context.Context, operation uuid.UUID, reason string) (Operation, error) {
	return s.change(ctx, operation, func(ctx context.Context, l locked, p progress) error {
		switch {
		case p.status == RecoveryRequired:
			return nil
		case p.status.Ended():
			return fmt.Errorf("operation %s has ended as %s", operation, p.status)
		}
		_, err := queries.RequireRecovery(ctx, l.tx, worlddb.RequireRecoveryParams{
			ID: operation, WorldID: l.world, Reason: clip(reason, MaxReason),
		})
		return err
	})
}

// MarkUnfinished has what another process left active wait for a decision, and
// returns all that waits for one. It is called before anything else at the start.
func (s *Store) MarkUnfinished(ctx context.Context, reason string) (list []Operation, err error) {
	err = s.write(ctx, func(ctx context.Context, l locked) error {
		err := queries.RequireRecoveryOfAll(ctx, l.tx, worlddb.RequireRecoveryOfAllParams{
			WorldID: l.world, Reason: clip(reason, MaxReason),
		})
		if err != nil {
			return err
		}
		list, err = s.unfinished(ctx, l.tx)
		return err
	})
	return list, err
}

// Cancel asks that no later slice begins. An operation that has ended stays as
// it is; one that waits for a decision is recovery_required.
func (s *Store) Cancel(ctx context.Context, operation uuid.UUID) (Operation, error) {
	return s.change(ctx, operation, func(ctx context.Context, l locked, p progress) error {
		if p.status == RecoveryRequired {
			return fault.Newf(NeedsRecovery, "operation %s was interrupted: nothing of it goes on, and a person has to decide about it",
				operation)
		}
		return queries.RequestCancel(ctx, l.tx, worlddb.RequestCancelParams{ID: operation, WorldID: l.world})
	})
}

// Abandon ends an operation that waits for a decision as failed, with its undo
// off, and keeps the digest of what was seen. Again with the same digest it
// changes nothing.
func (s *Store) Abandon(ctx context.Context, operation uuid.UUID, digest, reason string) (Operation, error) {
	if !digestForm.MatchString(digest) {
		return Operation{}, fault.New(fault.Invalid, "the digest must be 64 lower-case hexadecimal digits")
	}
	return s.change(ctx, operation, func(ctx context.Context, l locked, p progress) error {
		switch {
		case p.Digest != nil && *p.Digest == digest:
			return nil
		case p.Digest != nil:
			return fault.Newf(fault.Invalid, "operation %s was abandoned already, at another digest", operation)
		case p.status != RecoveryRequired:
			return fault.Newf(fault.Invalid, "operation %s is %s: only one that is recovery_required can be abandoned",
				operation, p.status)
		}
		_, err := queries.AbandonOperation(ctx, l.tx, worlddb.AbandonOperationParams{
			ID: operation, WorldID: l.world, Digest: digest, Reason: clip(reason, MaxReason), EndedAt: l.now,
		})
		return err
	})
}
