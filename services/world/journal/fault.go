package journal

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The codes of faults beyond those that every service has.
const (
	PermissionDenied fault.Code = "permission_denied"  // the plan is somebody else's
	HashMismatch     fault.Code = "plan_hash_mismatch" // the hash is not the plan's
	KeyReused        fault.Code = "key_reused"         // the key stands for another plan
	PlanUsed         fault.Code = "plan_used"          // the plan has an operation under another key
	PlanDiscarded    fault.Code = "plan_discarded"     // somebody has thrown the plan away
	PlanExpired      fault.Code = "plan_expired"       // the plan is too old
	OutOfBounds      fault.Code = "out_of_bounds"      // the plan leaves the area of the project
	PlanOutOfOrder   fault.Code = "plan_out_of_order"  // the plan before it in its chain is not applied
	Paused           fault.Code = "paused"             // the owner has stopped all writes
	Busy             fault.Code = "busy"               // another operation is active
	NeedsRecovery    fault.Code = "recovery_required"  // an operation waits for a decision
)

// busyAgain is when a call that found another operation may succeed.
const busyAgain = time.Second

// absent is something that this world does not have.
func absent(what string, id uuid.UUID) error {
	return fault.Newf(fault.NotFound, "there is no %s %s", what, id)
}

// orAbsent is an error, or that there is nothing.
func orAbsent(err error, what string, id uuid.UUID) error {
	if err != nil {
		return err
	}
	return absent(what, id)
}
