// Package hpc owns the queues that runs are submitted to: what nodes they have,
// how much they take, and how full they are.
//
// Tables: hpc_queue and hpc_partition, which migrations fill; it counts the rows
// of run. Everybody who may read queues sees all of them.
//
// A queue is also given as a Protobuf message, a projection that
// api/platform/hpc.proto describes.
package hpc
