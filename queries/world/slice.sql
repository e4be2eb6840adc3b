-- name: GetSlice :one
-- GetSlice finds a slice.
SELECT intent, wrote, left_alone, confirmed_at
FROM world.slice
WHERE operation_id = @operation_id::uuid AND number = @number::integer;

-- name: InsertSlice :exec
-- InsertSlice says what the next slice may write.
INSERT INTO world.slice (operation_id, number, intent, created_at)
VALUES (@operation_id::uuid, @number::integer, @intent::bytea, @created_at::timestamptz);

-- name: ConfirmSlice :execrows
-- ConfirmSlice says what a slice wrote.
UPDATE world.slice
SET wrote = @wrote::bytea, left_alone = @left_alone::bytea, confirmed_at = @confirmed_at::timestamptz
WHERE operation_id = @operation_id::uuid AND number = @number::integer AND confirmed_at IS NULL;

-- name: IsOpen :one
-- IsOpen tells whether a slice of an operation is open.
SELECT EXISTS (
    SELECT 1
    FROM world.slice
    WHERE operation_id = @operation_id::uuid AND confirmed_at IS NULL
);

-- name: ListSlices :many
-- ListSlices lists the slices of an operation in order.
SELECT number, intent, wrote, left_alone, confirmed_at
FROM world.slice
WHERE operation_id = @operation_id::uuid
ORDER BY number
LIMIT 8192;
