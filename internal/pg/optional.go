package pg

import "github.com/jackc/pgx/v5/pgtype"

// optional is the plan for a pointer that is nil for NULL. By itself pgx looks
// in many other ways for a plan, for each row, before it comes to this one.
type optional[T any] struct{ plan pgtype.ScanPlan }

// Scan implements pgtype.ScanPlan.
func (p optional[T]) Scan(src []byte, target any) error {
	to := target.(**T)
	if src == nil {
		*to = nil
		return nil
	}
	*to = new(T)
	return p.plan.Scan(src, *to)
}
