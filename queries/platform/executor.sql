-- name: BeatExecutor :exec
-- BeatExecutor makes an executor known, or keeps it alive.
INSERT INTO platform.executor AS e (id, name, slots, started_at, alive_until)
VALUES (@id::uuid, @name::text, @slots::bigint, @started_at::timestamptz, @alive_until::timestamptz)
ON CONFLICT (id) DO UPDATE SET alive_until = greatest(e.alive_until, excluded.alive_until);

-- name: ShareExecutor :one
-- ShareExecutor tells whether an executor is known, which it stays until the
-- transaction ends.
SELECT id
FROM platform.executor
WHERE id = @id::uuid
FOR KEY SHARE;

-- name: DeleteExecutors :execrows
-- DeleteExecutors forgets some executors that live no more and hold nothing.
DELETE FROM platform.executor
WHERE id IN (
    SELECT e.id
    FROM platform.executor AS e
    WHERE e.alive_until < @now::timestamptz
      AND NOT EXISTS (SELECT 1 FROM platform.run AS r WHERE r.executor_id = e.id)
    ORDER BY e.alive_until, e.id
    LIMIT @most::integer
    FOR UPDATE OF e SKIP LOCKED
);

-- name: DeleteExecutor :execrows
-- DeleteExecutor forgets an executor that holds nothing.
DELETE FROM platform.executor
WHERE id = @id::uuid
  AND NOT EXISTS (SELECT 1 FROM platform.run WHERE executor_id = @id::uuid);

-- name: ListLiveExecutors :many
-- ListLiveExecutors gives the executors that live, the oldest first, with how
-- many runs each holds.
SELECT e.id, e.name, e.slots, e.started_at, e.alive_until, count(r.id) AS running
FROM platform.executor AS e
LEFT JOIN platform.run AS r ON r.executor_id = e.id
WHERE e.alive_until >= @now::timestamptz
GROUP BY e.id
ORDER BY e.started_at, e.id
LIMIT @most::integer;
