-- name: GetHpcQueue :one
-- GetHpcQueue gives a queue, and counts its runs.
SELECT q.name, q.description, q.state, q.run_seconds, q.queued_runs, q.running_runs,
    (SELECT count(*) FROM platform.run AS r WHERE r.queue = q.name AND r.state = 'queued')::bigint AS queued,
    (SELECT count(*) FROM platform.run AS r WHERE r.queue = q.name AND r.executor_id IS NOT NULL)::bigint AS running
FROM platform.hpc_queue AS q
WHERE q.name = @name::text;

-- name: ListHpcQueues :many
-- ListHpcQueues gives the queues behind a name, by name, and counts their runs.
SELECT q.name, q.description, q.state, q.run_seconds, q.queued_runs, q.running_runs,
    (SELECT count(*) FROM platform.run AS r WHERE r.queue = q.name AND r.state = 'queued')::bigint AS queued,
    (SELECT count(*) FROM platform.run AS r WHERE r.queue = q.name AND r.executor_id IS NOT NULL)::bigint AS running
FROM platform.hpc_queue AS q
WHERE q.name > @after::text AND (@state::text = '' OR q.state = @state::text)
ORDER BY q.name
LIMIT @most::integer;

-- name: GetHpcQueueRoom :one
-- GetHpcQueueRoom tells whether a queue takes one more run. It counts no
-- further than the queue's bound.
SELECT q.state, (q.queued_runs - (
    SELECT count(*)
    FROM (SELECT 1 FROM platform.run AS r WHERE r.queue = q.name AND r.state = 'queued' LIMIT q.queued_runs) AS counted
))::bigint AS room
FROM platform.hpc_queue AS q
WHERE q.name = @name::text;
