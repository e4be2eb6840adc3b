-- name: GetWritten :one
-- GetWritten finds what an operation wrote.
SELECT o.project, o.status, o.wrote, p.changes
FROM world.operation AS o
JOIN world.plan AS p ON p.id = o.plan_id
WHERE o.id = @id::uuid AND o.world_id = @world_id::uuid;

-- name: InsertPart :exec
-- InsertPart makes a part, unless the operation has one of that name.
INSERT INTO world.part (
    id, world_id, project, player_id, name, operation_id, total, positions, min_x, min_y, min_z, max_x, max_y, max_z, created_at
) VALUES (
    @id::uuid, @world_id::uuid, @project::text, @player_id::uuid, @name::text, @operation_id::uuid, @total::integer,
    @positions::bytea, @min_x::integer, @min_y::integer, @min_z::integer, @max_x::integer, @max_y::integer, @max_z::integer,
    COALESCE(sqlc.narg(now)::timestamptz, now())
)
ON CONFLICT ON CONSTRAINT part_of_operation_key DO NOTHING;

-- name: FindPart :one
-- FindPart finds the part of a name that an operation was made.
SELECT id
FROM world.part
WHERE operation_id = @operation_id::uuid AND name = @name::text;

-- name: GetPart :one
-- GetPart finds a part with its mask.
SELECT id, world_id, project, player_id, name, operation_id, total, positions, min_x, min_y, min_z, max_x, max_y, max_z, created_at
FROM world.part
WHERE id = @id::uuid AND world_id = @world_id::uuid AND project = @project::text;

-- name: ListParts :many
-- ListParts lists the newest parts of a project, newest first, without masks.
SELECT id, world_id, project, player_id, name, operation_id, total, min_x, min_y, min_z, max_x, max_y, max_z, created_at
FROM world.part
WHERE world_id = @world_id::uuid AND project = @project::text
ORDER BY created_at DESC, id DESC
LIMIT @most::integer;
