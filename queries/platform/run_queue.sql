-- name: ListQueuesWaiting :many
-- ListQueuesWaiting gives the queues with a run that may go on now, the one
-- whose first run has waited longest first.
SELECT q.name
FROM platform.hpc_queue AS q
CROSS JOIN LATERAL (
    SELECT w.queued_at, w.id
    FROM platform.run AS w
    WHERE w.queue = q.name AND w.state = 'queued'
    ORDER BY w.queued_at, w.id
    LIMIT 1
) AS f
WHERE q.state <> 'closed'
  AND q.running_runs > (
    SELECT count(*)
    FROM (SELECT 1 FROM platform.run AS g WHERE g.queue = q.name AND g.executor_id IS NOT NULL LIMIT q.running_runs) AS counted
)
ORDER BY f.queued_at, f.id
LIMIT @most::integer;

-- name: LockQueue :one
-- LockQueue holds off that others take runs out of a queue.
SELECT state, run_seconds, running_runs
FROM platform.hpc_queue
WHERE name = @name::text
FOR NO KEY UPDATE;

-- name: CountGoingOn :one
-- CountGoingOn counts the runs of a queue that executors have, up to a bound.
SELECT count(*)
FROM (
    SELECT 1
    FROM platform.run
    WHERE queue = @queue::text AND executor_id IS NOT NULL
    LIMIT @most::bigint
) AS counted;
