-- name: PutWorld :exec
-- PutWorld makes the row of a world, once.
INSERT INTO world.world (id, last_number, created_at)
VALUES (@id::uuid, 0, COALESCE(sqlc.narg(now)::timestamptz, now()))
ON CONFLICT ON CONSTRAINT world_pkey DO NOTHING;

-- name: LockWorld :one
-- LockWorld serialises all that is written about the operations of a world, and
-- tells the time. It leaves room for what refers to the row, such as a plan.
SELECT last_number, COALESCE(sqlc.narg(now)::timestamptz, clock_timestamp())::timestamptz AS now
FROM world.world
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: RaiseNumber :exec
-- RaiseNumber counts a new operation of a locked world.
UPDATE world.world
SET last_number = last_number + 1
WHERE id = @id::uuid;

-- name: PutPause :exec
-- PutPause has a project be paused.
INSERT INTO world.pause (world_id, project, since)
VALUES (@world_id::uuid, @project::text, @since::timestamptz)
ON CONFLICT ON CONSTRAINT pause_pkey DO NOTHING;

-- name: DeletePause :exec
-- DeletePause lets a project go on.
DELETE FROM world.pause
WHERE world_id = @world_id::uuid AND project = @project::text;

-- name: IsPaused :one
-- IsPaused tells whether a project is paused.
SELECT EXISTS (
    SELECT 1
    FROM world.pause
    WHERE world_id = @world_id::uuid AND project = @project::text
);
