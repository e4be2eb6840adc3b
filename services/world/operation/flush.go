package operation

import (
	"context"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/journal"
)

// flushTries is how often a flush is tried before a person has to look.
const flushTries = 3

// flush returns once what was written is on the disk. A failure is tried again;
// in the end it leaves the operation in doubt, and then nothing new begins.
func (j *job) flush(written []int) error {
	if len(written) == 0 {
		return nil
	}
	changes := make([]journal.Change, len(written))
	for n, i := range written {
		changes[n] = j.plan.Changes[i]
	}
	chunks := chunksOf(places(changes))
	for try := 1; ; try++ {
		err := j.Host.Flush(context.WithoutCancel(j.closing), chunks)
		if err == nil {
			return nil
		}
		if try == flushTries {
			return fmt.Errorf("what was written does not reach the disk: %w", err)
		}
		j.Log.Warn("what was written does not reach the disk, it is tried again", "operation", j.op.ID, "error", err)
		if j.Clock.Sleep(j.closing, firstPause<<try) != nil {
			return errClosing
		}
	}
}
