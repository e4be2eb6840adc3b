package hpc

import (
	"time"

	"github.com/pharos-mcp/pharos/services/platform/command"
)

// State is what a queue does with runs.
type State string

// The states of a queue.
const (
	Open     State = "open"     // takes runs
	Draining State = "draining" // runs what it has
	Closed   State = "closed"   // runs nothing
)

// The reasons why a queue takes no run.
const (
	Unknown command.Rejection = "queue_unknown" // there is no such queue
	NotOpen command.Rejection = "queue_closed"  // it is draining or closed
	Full    command.Rejection = "queue_full"    // as many runs wait as may
)

// Queue is a queue and how full it is.
type Queue struct {
	Name        string
	Description string
	State       State
	Partitions  []Partition // by name
	Limits      Limits
	Queued      int64 // runs that wait
	Running     int64 // runs that go on, those that are being cancelled too
	Measured    time.Time
}

// Partition is the nodes of one kind that a queue has.
type Partition struct {
	Name             string
	Nodes            int64
	CoresPerNode     int64
	MemoryGiBPerNode int64
}

// Limits is how much a queue takes.
type Limits struct {
	RunSeconds  int64 // the longest that a run may take
	QueuedRuns  int64 // how many may wait
	RunningRuns int64 // how many go on at once
}

// Utilisation is how many of the runs that may go on do, from 0 to 1. A queue
// whose limit was lowered meanwhile counts as full.
func (q Queue) Utilisation() float64 {
	return min(1, float64(q.Running)/float64(q.Limits.RunningRuns))
}
