package hpc

import (
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of the fields in api/platform/hpc.proto.
const (
	projectionName, projectionDescription, projectionState, projectionPartitions = 1, 2, 3, 4
	projectionLimits, projectionLoad, projectionMeasuredAt                       = 5, 6, 7

	partitionName, partitionNodes, partitionCores, partitionMemory = 1, 2, 3, 4
	limitsRunSeconds, limitsQueuedRuns, limitsRunningRuns          = 1, 2, 3
	loadQueued, loadRunning, loadUtilisation                       = 1, 2, 3
	timestampSeconds, timestampNanos                               = 1, 2
)

// stateNumbers are the states as the enum State has them.
var stateNumbers = map[State]int64{Open: 1, Draining: 2, Closed: 3}

// Projection writes a queue as a message QueueProjection. The same queue gives
// the same bytes: fields stand in the order of their numbers, and those that
// are zero are left out, as proto3 does.
func Projection(q Queue) []byte {
	var m message
	m.text(projectionName, q.Name)
	m.text(projectionDescription, q.Description)
	m.integer(projectionState, stateNumbers[q.State])
	for _, p := range q.Partitions {
		var part message
		part.text(partitionName, p.Name)
		part.integer(partitionNodes, p.Nodes)
		part.integer(partitionCores, p.CoresPerNode)
		part.integer(partitionMemory, p.MemoryGiBPerNode)
		m.message(projectionPartitions, part)
	}
	var limits message
	limits.integer(limitsRunSeconds, q.Limits.RunSeconds)
	limits.integer(limitsQueuedRuns, q.Limits.QueuedRuns)
	limits.integer(limitsRunningRuns, q.Limits.RunningRuns)
	m.message(projectionLimits, limits)
	var load message
	load.integer(loadQueued, q.Queued)
	load.integer(loadRunning, q.Running)
	load.double(loadUtilisation, q.Utilisation())
	m.message(projectionLoad, load)
	m.message(projectionMeasuredAt, timestamp(q.Measured))
	return m
}

// timestamp is a time as a google.protobuf.Timestamp.
func timestamp(t time.Time) message {
	var m message
	m.integer(timestampSeconds, t.Unix())
	m.integer(timestampNanos, int64(t.Nanosecond()))
	return m
}

// message is a Protobuf message under construction.
type message []byte

func (m *message) text(field protowire.Number, value string) {
	if value != "" {
		*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), value)
	}
}

func (m *message) integer(field protowire.Number, value int64) {
	if value != 0 {
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(value))
	}
}

func (m *message) double(field protowire.Number, value float64) {
	if value != 0 {
		*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), math.Float64bits(value))
	}
}

func (m *message) message(field protowire.Number, value message) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), value)
}
