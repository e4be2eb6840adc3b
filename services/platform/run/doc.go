// Package run owns runs: executions of pipelines, and what executes them.
//
// A run is queued, then running, and ends as succeeded, failed or cancelled;
// between a request to cancel it and its end it is cancelling. The queue is in
// the database. Every process of the service can have an executor, which takes
// up the run that has waited longest, records each step with its output, and
// gives back what it has not ended when it stops.
//
// An executor keeps itself alive in the database. When it no longer does, others
// queue its runs again, up to a bound, and they go on after the last recorded
// step: a step is executed twice only when its executor died. Whatever is
// written for an executor names the lease under which it took the run up, so
// that one that was believed dead changes nothing.
//
// What happens to a run is recorded in the feed of the party that submitted it,
// numbered in the order in which it becomes visible; GET /events follows a feed.
//
// Tables: run, run_step, run_feed, run_event and executor. Rows are locked in
// this order: the project (shared), the pipeline (shared), the run, the feed,
// the project's usage.
package run
