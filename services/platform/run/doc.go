// Package run owns runs: executions of pipelines, and what executes them.
//
// A run is queued, then running, and ends as succeeded, failed or cancelled;
// between a request to cancel it and its end it is cancelling. The queue is in
// the database. Every process of the service can have an executor, which takes
// up the run that has waited longest, records each step with its output, and
// gives back what it has not ended when it stops. What happens to a run is
// recorded in the feed of the party that submitted it; GET /events follows one.
//
// Tables: run, run_step, run_feed, run_event and executor; it locks rows of
// hpc_queue. Invariants:
//   - commands alone raise the revision of a run, each by one: its execution
//     leaves it;
//   - no more runs of a queue go on than its limit says;
//   - a step is recorded once in an attempt, and executed twice only when its
//     executor died: others queue the run again, a bounded number of times, and
//     it goes on after the last recorded step;
//   - whatever is written for an executor names the lease under which it took
//     the run up, so that one that was believed dead changes nothing;
//   - the events of a feed become visible in the order of their numbers;
//   - every run that starts or ends is counted in its project's usage, in the
//     same transaction.
//
// Rows are locked in this order: the project (shared), the pipeline (shared),
// the run, the feed, the project's usage. Taking a run up begins with the
// executor (shared) and the queue.
package run
