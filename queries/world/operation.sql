-- name: InsertOperation :exec
-- InsertOperation makes the operation of a locked plan.
INSERT INTO world.operation (
    id, world_id, number, plan_id, project, player_id, key, kind, undoes_id, min_x, min_y, min_z, max_x, max_y, max_z, status, total, written,
    conflicts, wrote, left_alone, sample, paused, cancel_requested, undo_off, reason, created_at
) VALUES (
    @id::uuid, @world_id::uuid, @number::bigint, @plan_id::uuid, @project::text, @player_id::uuid, @key::text, @kind::text,
    sqlc.narg(undoes_id)::uuid, @min_x::integer,
    @min_y::integer, @min_z::integer, @max_x::integer, @max_y::integer, @max_z::integer, 'queued', @total::integer, 0, 0, '', '',
    '[]', false, false, false, '', @created_at::timestamptz
);

-- name: GetOperation :one
-- GetOperation finds an operation.
SELECT o.id, o.world_id, o.number, o.plan_id, o.project, o.player_id, o.key, o.kind, o.undoes_id, o.min_x, o.min_y, o.min_z,
    o.max_x, o.max_y, o.max_z, o.status, o.total, o.written, o.conflicts, o.sample,
    (o.paused OR EXISTS (SELECT 1 FROM world.pause AS z WHERE z.world_id = o.world_id AND z.project = o.project))::boolean AS paused,
    o.cancel_requested, o.undo_off, o.reason, o.digest, o.created_at, o.ended_at
FROM world.operation AS o
WHERE o.id = @id::uuid AND o.world_id = @world_id::uuid;

-- name: FindByKey :one
-- FindByKey finds what a key of a project stands for.
SELECT id, plan_id, player_id
FROM world.operation
WHERE world_id = @world_id::uuid AND project = @project::text AND key = @key::text;

-- name: FindByPlan :one
-- FindByPlan finds the operation of a plan.
SELECT id
FROM world.operation
WHERE plan_id = @plan_id::uuid;

-- name: FindUnfinished :one
-- FindUnfinished finds what has not ended in a world.
SELECT id, status
FROM world.operation
WHERE world_id = @world_id::uuid AND status IN ('queued', 'applying', 'recovery_required')
ORDER BY number
LIMIT 1;

-- name: ListUnfinished :many
-- ListUnfinished lists what has not ended in a world.
SELECT o.id, o.world_id, o.number, o.plan_id, o.project, o.player_id, o.key, o.kind, o.undoes_id, o.min_x, o.min_y, o.min_z,
    o.max_x, o.max_y, o.max_z, o.status, o.total, o.written, o.conflicts, o.sample,
    (o.paused OR EXISTS (SELECT 1 FROM world.pause AS z WHERE z.world_id = o.world_id AND z.project = o.project))::boolean AS paused,
    o.cancel_requested, o.undo_off, o.reason, o.digest, o.created_at, o.ended_at
FROM world.operation AS o
WHERE o.world_id = @world_id::uuid AND o.status IN ('queued', 'applying', 'recovery_required')
ORDER BY o.number
LIMIT 100;

-- name: ListRecent :many
-- ListRecent lists the newest operations of a project, newest first.
SELECT o.id, o.world_id, o.number, o.plan_id, o.project, o.player_id, o.key, o.kind, o.undoes_id, o.min_x, o.min_y, o.min_z,
    o.max_x, o.max_y, o.max_z, o.status, o.total, o.written, o.conflicts, o.sample,
    (o.paused OR EXISTS (SELECT 1 FROM world.pause AS z WHERE z.world_id = o.world_id AND z.project = o.project))::boolean AS paused,
    o.cancel_requested, o.undo_off, o.reason, o.digest, o.created_at, o.ended_at
FROM world.operation AS o
WHERE o.world_id = @world_id::uuid AND o.project = @project::text
ORDER BY o.number DESC
LIMIT @most::integer;

-- name: ListUndoable :many
-- ListUndoable lists the newest operations of a project that wrote something
-- and were not abandoned, newest first.
SELECT o.id, o.world_id, o.number, o.plan_id, o.project, o.player_id, o.key, o.kind, o.undoes_id, o.min_x, o.min_y, o.min_z,
    o.max_x, o.max_y, o.max_z, o.status, o.total, o.written, o.conflicts, o.sample,
    (o.paused OR EXISTS (SELECT 1 FROM world.pause AS z WHERE z.world_id = o.world_id AND z.project = o.project))::boolean AS paused,
    o.cancel_requested, o.undo_off, o.reason, o.digest, o.created_at, o.ended_at,
    COALESCE((
        SELECT u.id
        FROM world.operation AS u
        WHERE u.undoes_id = o.id AND u.written > 0
        ORDER BY u.number DESC
        LIMIT 1
    ), '00000000-0000-0000-0000-000000000000')::uuid AS undone_by
FROM world.operation AS o
WHERE o.world_id = @world_id::uuid AND o.project = @project::text
    AND o.written > 0 AND NOT o.undo_off AND o.ended_at IS NOT NULL
ORDER BY o.number DESC
LIMIT @most::integer;

-- name: GetProgress :one
-- GetProgress finds what is known of an operation whose world is locked.
SELECT o.plan_id, o.status, o.total, o.wrote, o.left_alone, o.sample, o.cancel_requested, o.digest,
    (o.paused OR EXISTS (SELECT 1 FROM world.pause AS z WHERE z.world_id = o.world_id AND z.project = o.project))::boolean AS paused
FROM world.operation AS o
WHERE o.id = @id::uuid AND o.world_id = @world_id::uuid;

-- name: SetApplying :exec
-- SetApplying says that an operation begins to write.
UPDATE world.operation
SET status = 'applying'
WHERE id = @id::uuid AND world_id = @world_id::uuid AND status = 'queued';

-- name: SetProgress :execrows
-- SetProgress adds what a slice wrote and left alone.
UPDATE world.operation
SET written = @written::integer, conflicts = @conflicts::integer, wrote = @wrote::bytea, left_alone = @left_alone::bytea,
    sample = @sample::jsonb
WHERE id = @id::uuid AND world_id = @world_id::uuid AND status = 'applying';

-- name: EndOperation :execrows
-- EndOperation ends an operation whose writes are known. In a conflict all that
-- was not written was left alone.
UPDATE world.operation
SET status = @status::text, reason = @reason::text, ended_at = greatest(created_at, @ended_at::timestamptz),
    conflicts = CASE WHEN @status::text = 'conflict' THEN total - written ELSE conflicts END,
    left_alone = CASE WHEN @status::text = 'conflict' THEN @left_alone::bytea ELSE left_alone END
WHERE id = @id::uuid AND world_id = @world_id::uuid AND status IN ('queued', 'applying');

-- name: RequireRecovery :execrows
-- RequireRecovery has an active operation wait for a decision.
UPDATE world.operation
SET status = 'recovery_required', reason = @reason::text
WHERE id = @id::uuid AND world_id = @world_id::uuid AND status IN ('queued', 'applying');

-- name: RequireRecoveryOfAll :exec
-- RequireRecoveryOfAll has all active operations of a world wait for a decision.
UPDATE world.operation
SET status = 'recovery_required', reason = @reason::text
WHERE world_id = @world_id::uuid AND status IN ('queued', 'applying');

-- name: RequestCancel :exec
-- RequestCancel asks an active operation to end.
UPDATE world.operation
SET cancel_requested = true
WHERE id = @id::uuid AND world_id = @world_id::uuid AND status IN ('queued', 'applying');

-- name: SetPaused :exec
-- SetPaused has an operation that has not ended be paused, or not.
UPDATE world.operation
SET paused = @paused::boolean
WHERE id = @id::uuid AND world_id = @world_id::uuid AND status IN ('queued', 'applying', 'recovery_required');

-- name: AbandonOperation :execrows
-- AbandonOperation ends an operation that waits for a decision.
UPDATE world.operation
SET status = 'failed', undo_off = true, digest = @digest::text, reason = @reason::text,
    ended_at = greatest(created_at, @ended_at::timestamptz)
WHERE id = @id::uuid AND world_id = @world_id::uuid AND status = 'recovery_required';

-- name: GetNumber :one
-- GetNumber finds an operation's place in the order of its world.
SELECT number
FROM world.operation
WHERE id = @id::uuid AND world_id = @world_id::uuid;

-- name: ListWriters :many
-- ListWriters lists operations after one that may have written in a box, in
-- order, with what they wrote and the slice that is open. It goes along the
-- order and looks at the region of each: an index of regions would find fewer
-- rows, and all of them again for each page.
SELECT o.id, o.number, o.wrote, p.changes, s.intent AS open
FROM world.operation AS o
JOIN world.plan AS p ON p.id = o.plan_id
LEFT JOIN world.slice AS s ON s.operation_id = o.id AND s.confirmed_at IS NULL
WHERE o.world_id = @world_id::uuid AND o.number > @after::bigint
    AND o.min_x <= @max_x::integer AND o.max_x >= @min_x::integer
    AND o.min_y <= @max_y::integer AND o.max_y >= @min_y::integer
    AND o.min_z <= @max_z::integer AND o.max_z >= @min_z::integer
    AND (o.written > 0 OR s.number IS NOT NULL)
ORDER BY o.number
LIMIT @most::integer;
