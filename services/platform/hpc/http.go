package hpc

import (
	"bytes"
	"context"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// ListHpcQueues gives a page of the queues.
func (q *Queues) ListHpcQueues(
	ctx context.Context, r platformapi.ListHpcQueuesRequestObject,
) (platformapi.ListHpcQueuesResponseObject, error) {
	state := State("")
	if r.Params.State != nil {
		state = State(*r.Params.State)
	}
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("hpc queues", state))
	if err != nil {
		return nil, err
	}
	rows, next, err := q.List(ctx, state, p)
	if err != nil {
		return nil, err
	}
	reply := platformapi.ListHpcQueues200JSONResponse{Items: []platformapi.QueueModel{}, NextCursor: next}
	for _, row := range rows {
		reply.Items = append(reply.Items, queueTo(row))
	}
	return reply, nil
}

// GetHpcQueue gives one queue.
func (q *Queues) GetHpcQueue(
	ctx context.Context, r platformapi.GetHpcQueueRequestObject,
) (platformapi.GetHpcQueueResponseObject, error) {
	found, err := q.Get(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	return platformapi.GetHpcQueue200JSONResponse(queueTo(found)), nil
}

// GetHpcQueueProjection gives one queue as a Protobuf message.
func (q *Queues) GetHpcQueueProjection(
	ctx context.Context, r platformapi.GetHpcQueueProjectionRequestObject,
) (platformapi.GetHpcQueueProjectionResponseObject, error) {
	found, err := q.Get(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	message := Projection(found)
	return platformapi.GetHpcQueueProjection200ApplicationxProtobufResponse{
		Body: bytes.NewReader(message), ContentLength: int64(len(message)),
	}, nil
}

func queueTo(q Queue) platformapi.QueueModel {
	m := platformapi.QueueModel{
		Name: q.Name, Description: q.Description, State: platformapi.QueueStateModel(q.State),
		Partitions: []platformapi.PartitionModel{},
		Limits: platformapi.QueueLimitsModel{
			RunSeconds: q.Limits.RunSeconds, QueuedRuns: q.Limits.QueuedRuns, RunningRuns: q.Limits.RunningRuns,
		},
		Load:       platformapi.QueueLoadModel{Queued: q.Queued, Running: q.Running, Utilisation: q.Utilisation()},
		MeasuredAt: q.Measured,
	}
	for _, p := range q.Partitions {
		m.Partitions = append(m.Partitions, platformapi.PartitionModel{
			Name: p.Name, Nodes: p.Nodes, CoresPerNode: p.CoresPerNode, MemoryGibPerNode: p.MemoryGiBPerNode,
		})
	}
	return m
}
