-- name: InsertRun :execrows
-- InsertRun inserts nothing where the id is taken.
INSERT INTO platform.run (
    id, project_id, pipeline_id, version, queue, parameters, state, reason, revision, attempt, taken, steps, steps_done,
    submitted_by, created_at, queued_at
)
VALUES (
    @id::uuid, @project_id::uuid, @pipeline_id::uuid, @version::bigint, @queue::text, @parameters::jsonb, 'queued', '', 1, 1, 0,
    @steps::bigint, 0, @submitted_by::uuid, @created_at::timestamptz, @created_at::timestamptz
)
ON CONFLICT DO NOTHING;

-- name: FindRun :one
-- FindRun gives what of a run never changes and decides who may change it.
SELECT project_id, pipeline_id, version, submitted_by
FROM platform.run
WHERE id = @id::uuid;

-- name: LockRun :one
-- LockRun serialises the changes of a run.
SELECT id, project_id, pipeline_id, version, queue, parameters, state, reason, revision, attempt, taken, steps, steps_done,
    executor_id, lease, submitted_by, created_at, queued_at, started_at, finished_at
FROM platform.run
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: LockQueuedRun :one
-- LockQueuedRun gives the run of a queue that has waited longest, of those that
-- no other transaction holds.
SELECT id, project_id, pipeline_id, version, queue, parameters, state, reason, revision, attempt, taken, steps, steps_done,
    executor_id, lease, submitted_by, created_at, queued_at, started_at, finished_at
FROM platform.run
WHERE queue = @queue::text AND state = 'queued'
ORDER BY queued_at, id
LIMIT 1
FOR NO KEY UPDATE SKIP LOCKED;

-- name: LockOrphanedRun :one
-- LockOrphanedRun gives a run whose executor lives no more, of those that no
-- other transaction holds.
SELECT r.id, r.project_id, r.pipeline_id, r.version, r.queue, r.parameters, r.state, r.reason, r.revision, r.attempt, r.taken,
    r.steps, r.steps_done, r.executor_id, r.lease, r.submitted_by, r.created_at, r.queued_at, r.started_at, r.finished_at
FROM platform.executor AS e
JOIN platform.run AS r ON r.executor_id = e.id
WHERE e.alive_until < @now::timestamptz
ORDER BY e.alive_until, e.id, r.id
LIMIT 1
FOR NO KEY UPDATE OF r SKIP LOCKED;

-- name: UpdateRun :exec
-- UpdateRun writes what of a locked run can change.
UPDATE platform.run
SET state = @state::text, reason = @reason::text, revision = @revision::bigint, attempt = @attempt::bigint,
    taken = @taken::bigint, steps_done = @steps_done::bigint, executor_id = sqlc.narg('executor_id')::uuid,
    lease = sqlc.narg('lease')::uuid, queued_at = @queued_at::timestamptz, started_at = sqlc.narg('started_at')::timestamptz,
    finished_at = sqlc.narg('finished_at')::timestamptz
WHERE id = @id::uuid;

-- name: DeleteRun :exec
-- DeleteRun deletes a locked run with its steps and events.
DELETE FROM platform.run
WHERE id = @id::uuid;

-- name: GetRun :one
-- GetRun gives a run as a member of its project sees it.
SELECT r.id, r.project_id, r.pipeline_id, r.version, r.queue, r.parameters, r.state, r.reason, r.revision, r.attempt, r.taken,
    r.steps, r.steps_done, r.executor_id, r.lease, r.submitted_by, r.created_at, r.queued_at, r.started_at, r.finished_at
FROM platform.run AS r
JOIN platform.member AS m ON m.project_id = r.project_id AND m.party_id = @party_id::uuid
WHERE r.id = @id::uuid;

-- name: ListRuns :many
-- ListRuns gives a page of the runs of one or of all projects of a party, the
-- newest first: as many of each project as the page holds, in order.
SELECT p.id, p.project_id, p.pipeline_id, p.version, p.queue, p.parameters, p.state, p.reason, p.revision, p.attempt, p.taken,
    p.steps, p.steps_done, p.executor_id, p.lease, p.submitted_by, p.created_at, p.queued_at, p.started_at, p.finished_at
FROM platform.member AS m
CROSS JOIN LATERAL (
    SELECT o.id, o.project_id, o.pipeline_id, o.version, o.queue, o.parameters, o.state, o.reason, o.revision, o.attempt, o.taken,
        o.steps, o.steps_done, o.executor_id, o.lease, o.submitted_by, o.created_at, o.queued_at, o.started_at, o.finished_at
    FROM platform.run AS o
    WHERE o.project_id = m.project_id
      AND (o.created_at, o.id) < (@before_time::timestamptz, @before_id::uuid)
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @page_size::integer
) AS p
WHERE m.party_id = @party_id::uuid
  AND m.project_id = COALESCE(sqlc.narg('project_id')::uuid, m.project_id)
ORDER BY p.created_at DESC, p.id DESC
LIMIT @page_size::integer;

-- name: ListRunsInState :many
-- ListRunsInState is ListRuns for the runs in one state.
SELECT p.id, p.project_id, p.pipeline_id, p.version, p.queue, p.parameters, p.state, p.reason, p.revision, p.attempt, p.taken,
    p.steps, p.steps_done, p.executor_id, p.lease, p.submitted_by, p.created_at, p.queued_at, p.started_at, p.finished_at
FROM platform.member AS m
CROSS JOIN LATERAL (
    SELECT o.id, o.project_id, o.pipeline_id, o.version, o.queue, o.parameters, o.state, o.reason, o.revision, o.attempt, o.taken,
        o.steps, o.steps_done, o.executor_id, o.lease, o.submitted_by, o.created_at, o.queued_at, o.started_at, o.finished_at
    FROM platform.run AS o
    WHERE o.project_id = m.project_id AND o.state = @state::text
      AND (o.created_at, o.id) < (@before_time::timestamptz, @before_id::uuid)
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @page_size::integer
) AS p
WHERE m.party_id = @party_id::uuid
  AND m.project_id = COALESCE(sqlc.narg('project_id')::uuid, m.project_id)
ORDER BY p.created_at DESC, p.id DESC
LIMIT @page_size::integer;

-- name: ListRunsOfPipeline :many
-- ListRunsOfPipeline gives a page of the runs of one pipeline, the newest
-- first, to a member of its project.
SELECT r.id, r.project_id, r.pipeline_id, r.version, r.queue, r.parameters, r.state, r.reason, r.revision, r.attempt, r.taken,
    r.steps, r.steps_done, r.executor_id, r.lease, r.submitted_by, r.created_at, r.queued_at, r.started_at, r.finished_at
FROM platform.run AS r
JOIN platform.member AS m ON m.project_id = r.project_id AND m.party_id = @party_id::uuid
WHERE r.pipeline_id = @pipeline_id::uuid
  AND r.project_id = COALESCE(sqlc.narg('project_id')::uuid, r.project_id)
  AND (r.created_at, r.id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY r.created_at DESC, r.id DESC
LIMIT @page_size::integer;

-- name: ListRunsOfPipelineInState :many
-- ListRunsOfPipelineInState is ListRunsOfPipeline for the runs in one state.
SELECT r.id, r.project_id, r.pipeline_id, r.version, r.queue, r.parameters, r.state, r.reason, r.revision, r.attempt, r.taken,
    r.steps, r.steps_done, r.executor_id, r.lease, r.submitted_by, r.created_at, r.queued_at, r.started_at, r.finished_at
FROM platform.run AS r
JOIN platform.member AS m ON m.project_id = r.project_id AND m.party_id = @party_id::uuid
WHERE r.pipeline_id = @pipeline_id::uuid AND r.state = @state::text
  AND r.project_id = COALESCE(sqlc.narg('project_id')::uuid, r.project_id)
  AND (r.created_at, r.id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY r.created_at DESC, r.id DESC
LIMIT @page_size::integer;

-- name: ListHeldRuns :many
-- ListHeldRuns gives what an executor holds, as the database sees it.
SELECT id, lease, state
FROM platform.run
WHERE executor_id = @executor_id::uuid
ORDER BY id
LIMIT @most::integer;

-- name: CountQueuedRuns :one
-- CountQueuedRuns counts the queue, up to a bound.
SELECT count(*)
FROM (
    SELECT 1
    FROM platform.run
    WHERE state = 'queued'
    LIMIT @most::integer
) AS counted;
