// Package hpc owns the queues that runs are submitted to: what nodes they have,
// how much they take, and how full they are. Everybody who may read queues sees
// all of them. A queue is also given as a Protobuf message, a projection that
// api/platform/hpc.proto describes.
//
// Tables: hpc_queue and hpc_partition; it counts the rows of run. Invariants:
//   - migrations alone write both, and the service reads them;
//   - how full a queue is, is counted and never kept, so that it is never wrong;
//   - nothing locks a queue to submit to it: see Admit for what that leaves
//     open.
package hpc
