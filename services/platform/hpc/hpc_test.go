package hpc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
)

// short is the queue of that name while nothing is in it.
var short = hpc.Queue{
	Name: "short", Description: "Runs of minutes, started soon.", State: hpc.Open,
	Partitions: []hpc.Partition{{Name: "short-a", Nodes: 8, CoresPerNode: 64, MemoryGiBPerNode: 256}},
	Limits:     hpc.Limits{RunSeconds: 3600, QueuedRuns: 1000, RunningRuns: 8},
	Measured:   noon,
}

// clause: E-40
func TestGet(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	get := func(want hpc.Queue, utilisation float64) {
		t.Helper()
		got, err := f.Get(t.Context(), want.Name)
		if diff := cmp.Diff(want, got); err != nil || diff != "" || got.Utilisation() != utilisation {
			t.Errorf("utilisation %v, %v, want %v (-want +got):\n%s", got.Utilisation(), err, utilisation, diff)
		}
	}
	get(short, 0)
	f.runs("short", "queued", 3)
	f.runs("short", "running", 5)
	f.runs("short", "cancelling", 1)
	f.runs("short", "cancelled", 7) // gone
	f.runs("long", "queued", 2)     // elsewhere
	full := short
	full.Queued, full.Running = 3, 6
	get(full, 0.75)
	f.runs("short", "running", 3) // one more than the limit
	full.Running = 9
	get(full, 1)
	if _, err := f.Get(t.Context(), "nowhere"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a queue that is not there: %v", err)
	}
}

// clause: E-42
func TestList(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.runs("long", "queued", 2)
	list := func(request platformapi.ListHpcQueuesParams) (names []string, page platformapi.QueuePageModel) {
		t.Helper()
		reply, err := f.ListHpcQueues(t.Context(), platformapi.ListHpcQueuesRequestObject{Params: request})
		if err != nil {
			t.Fatal(err)
		}
		page = platformapi.QueuePageModel(reply.(platformapi.ListHpcQueues200JSONResponse))
		for _, q := range page.Items {
			names = append(names, q.Name)
		}
		return names, page
	}
	all := []string{"debug", "gpu", "legacy", "long", "short"}
	names, page := list(platformapi.ListHpcQueuesParams{})
	if diff := cmp.Diff(all, names); diff != "" || page.NextCursor != nil {
		t.Errorf("all queues, cursor %v (-want +got):\n%s", page.NextCursor, diff)
	}
	long := platformapi.QueueModel{
		Name: "long", Description: "Runs of days, which may wait for as long.", State: platformapi.QueueStateModelOpen,
		Partitions: []platformapi.PartitionModel{
			{Name: "long-a", Nodes: 12, CoresPerNode: 128, MemoryGibPerNode: 512},
			{Name: "long-b", Nodes: 4, CoresPerNode: 128, MemoryGibPerNode: 2048},
		},
		Limits:     platformapi.QueueLimitsModel{RunSeconds: 604800, QueuedRuns: 1000, RunningRuns: 16},
		Load:       platformapi.QueueLoadModel{Queued: 2},
		MeasuredAt: noon,
	}
	if diff := cmp.Diff(long, page.Items[3]); diff != "" {
		t.Errorf("the queue long (-want +got):\n%s", diff)
	}

	names = nil
	two := int64(2)
	request := platformapi.ListHpcQueuesParams{Limit: &two}
	for pages := 0; ; pages++ {
		part, page := list(request)
		names = append(names, part...)
		if request.Cursor = page.NextCursor; request.Cursor == nil {
			break
		}
		if pages > len(all) {
			t.Fatal("the pages do not end")
		}
	}
	if diff := cmp.Diff(all, names); diff != "" {
		t.Errorf("page by page (-want +got):\n%s", diff)
	}

	draining := "draining"
	if names, _ := list(platformapi.ListHpcQueuesParams{State: &draining}); !cmp.Equal(names, []string{"legacy"}) {
		t.Errorf("draining queues: %v", names)
	}
	_, first := list(platformapi.ListHpcQueuesParams{Limit: &two})
	request = platformapi.ListHpcQueuesParams{Cursor: first.NextCursor, State: &draining}
	_, err := f.ListHpcQueues(t.Context(), platformapi.ListHpcQueuesRequestObject{Params: request})
	if fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a cursor of other filters: %v", err)
	}
}

func TestAdmit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	admit := func(queue string, want command.Rejection) {
		t.Helper()
		err := pgx.BeginFunc(t.Context(), f.pool, func(tx pgx.Tx) error {
			got, err := hpc.Admit(t.Context(), tx, queue)
			if got != want {
				t.Errorf("a run for %s: %q, want %q", queue, got, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	admit("nowhere", hpc.Unknown)
	admit("legacy", hpc.NotOpen)
	f.do(`UPDATE platform.hpc_queue SET state = 'closed' WHERE name = 'gpu'`, nil)
	admit("gpu", hpc.NotOpen)
	f.runs("debug", "queued", 99)
	f.runs("debug", "running", 9)
	admit("debug", "")
	f.runs("debug", "queued", 1)
	admit("debug", hpc.Full)
	f.runs("debug", "queued", 1)
	admit("debug", hpc.Full)
	admit("short", "")
}
