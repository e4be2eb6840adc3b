-- name: InsertPlan :execrows
-- InsertPlan keeps a plan, unless its identifier is taken.
INSERT INTO world.plan (
    id, world_id, project, player_id, kind, hash, total, changes, dependencies, recipe, min_x, min_y, min_z, max_x, max_y, max_z,
    part_id, undoes_id, skipped, chain_id, chain_index, used, created_at, expires_at
) VALUES (
    @id::uuid, @world_id::uuid, @project::text, @player_id::uuid, @kind::text, @hash::text, @total::integer, @changes::bytea,
    @dependencies::bytea, @recipe::bytea, @min_x::integer, @min_y::integer, @min_z::integer, @max_x::integer, @max_y::integer,
    @max_z::integer, sqlc.narg(part_id)::uuid, sqlc.narg(undoes_id)::uuid, @skipped::integer, sqlc.narg(chain_id)::uuid,
    @chain_index::integer, false, COALESCE(sqlc.narg(now)::timestamptz, now()),
    COALESCE(sqlc.narg(now)::timestamptz, now()) + make_interval(secs => @seconds::float8)
)
ON CONFLICT ON CONSTRAINT plan_pkey DO NOTHING;

-- name: GetPlan :one
-- GetPlan finds a plan with its blocks.
SELECT id, world_id, project, player_id, kind, hash, changes, dependencies, recipe, min_x, min_y, min_z, max_x, max_y, max_z,
    part_id, undoes_id, skipped, chain_id, chain_index, created_at, expires_at, discarded_at
FROM world.plan
WHERE id = @id::uuid AND world_id = @world_id::uuid;

-- name: LockPlan :one
-- LockPlan finds what decides whether a plan can be begun.
SELECT project, player_id, kind, undoes_id, hash, total, min_x, min_y, min_z, max_x, max_y, max_z, chain_id, chain_index, used, expires_at, discarded_at
FROM world.plan
WHERE id = @id::uuid AND world_id = @world_id::uuid
FOR NO KEY UPDATE;

-- name: GetStatusInChain :one
-- GetStatusInChain finds the operation of one plan of a chain.
SELECT o.status
FROM world.plan AS p
JOIN world.operation AS o ON o.plan_id = p.id
WHERE p.chain_id = @chain_id::uuid AND p.chain_index = @chain_index::integer AND p.world_id = @world_id::uuid;

-- name: UsePlan :exec
-- UsePlan says that a plan has an operation.
UPDATE world.plan
SET used = true
WHERE id = @id::uuid;

-- name: DiscardPlan :exec
-- DiscardPlan has a locked plan never be begun.
UPDATE world.plan
SET discarded_at = @discarded_at::timestamptz
WHERE id = @id::uuid AND discarded_at IS NULL;

-- name: ProlongNext :exec
-- ProlongNext has the plan after one in its chain begin to run out now.
UPDATE world.plan AS n
SET expires_at = greatest(n.expires_at, @expires_at::timestamptz)
FROM world.plan AS p
WHERE p.id = @id::uuid AND n.chain_id = p.chain_id AND n.chain_index = p.chain_index + 1;

-- name: PrunePlans :execrows
-- PrunePlans deletes some of the plans that ran out long ago and have no
-- operation, and of whose chain none is being worked at.
DELETE FROM world.plan
WHERE id IN (
    SELECT p.id
    FROM world.plan AS p
    WHERE NOT p.used AND p.expires_at < COALESCE(sqlc.narg(now)::timestamptz, now()) - make_interval(secs => @seconds::float8)
        AND NOT EXISTS (
            SELECT 1
            FROM world.plan AS c
            JOIN world.operation AS o ON o.plan_id = c.id
            WHERE c.chain_id = p.chain_id AND o.ended_at IS NULL
        )
    ORDER BY p.expires_at, p.id
    LIMIT @most::integer
    FOR UPDATE OF p SKIP LOCKED
);
