package hpc

import (
	"context"

	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// maxPartitions bounds the partitions of one queue, as the API does.
const maxPartitions = 50

var queries = platformdb.New()

// find gives a queue without its partitions, or nil.
func find(ctx context.Context, db platformdb.DBTX, name string) (*Queue, error) {
	r, err := queries.GetHpcQueue(ctx, db, name)
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	q := queueOf(platformdb.ListHpcQueuesRow(r))
	return &q, nil
}

// list gives the queues behind a page's cursor without their partitions.
func list(ctx context.Context, db platformdb.DBTX, state State, p page.Page) ([]Queue, error) {
	rows, err := queries.ListHpcQueues(ctx, db, platformdb.ListHpcQueuesParams{
		After: p.Above().Name, State: string(state), Most: p.Fetch(),
	})
	all := make([]Queue, len(rows))
	for i, r := range rows {
		all[i] = queueOf(r)
	}
	return all, err
}

func queueOf(r platformdb.ListHpcQueuesRow) Queue {
	return Queue{
		Name: r.Name, Description: r.Description, State: State(r.State),
		Limits: Limits{RunSeconds: r.RunSeconds, QueuedRuns: r.QueuedRuns, RunningRuns: r.RunningRuns},
		Queued: r.Queued, Running: r.Running,
	}
}

// addPartitions fills in the partitions of queues.
func addPartitions(ctx context.Context, db platformdb.DBTX, all []Queue) error {
	names, at := make([]string, len(all)), map[string]*Queue{}
	for i := range all {
		names[i], at[all[i].Name] = all[i].Name, &all[i]
	}
	rows, err := queries.ListHpcPartitions(ctx, db, platformdb.ListHpcPartitionsParams{
		Queues: names, Most: int32(len(all)) * maxPartitions,
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		q := at[r.Queue]
		q.Partitions = append(q.Partitions, Partition{
			Name: r.Name, Nodes: r.Nodes, CoresPerNode: r.CoresPerNode, MemoryGiBPerNode: r.MemoryGibPerNode,
		})
	}
	return nil
}

// room is how many more runs may wait in a queue.
type room struct {
	state State
	free  int64
}

// roomOf gives the room in a queue, or nil where there is no such queue.
func roomOf(ctx context.Context, db platformdb.DBTX, name string) (*room, error) {
	r, err := queries.GetHpcQueueRoom(ctx, db, name)
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	return &room{State(r.State), r.Room}, nil
}
