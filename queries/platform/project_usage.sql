-- name: InsertUsage :exec
-- InsertUsage begins the count of a new project.
INSERT INTO platform.project_usage (project_id, started, succeeded, failed, cancelled, milliseconds)
VALUES (@project_id::uuid, 0, 0, 0, 0, 0);

-- name: AddUsage :execrows
-- AddUsage adds to a project's usage.
UPDATE platform.project_usage
SET started = started + @started::bigint, succeeded = succeeded + @succeeded::bigint, failed = failed + @failed::bigint,
    cancelled = cancelled + @cancelled::bigint, milliseconds = milliseconds + @milliseconds::bigint
WHERE project_id = @project_id::uuid;

-- name: GetUsage :one
-- GetUsage gives a project's usage.
SELECT started, succeeded, failed, cancelled, milliseconds
FROM platform.project_usage
WHERE project_id = @project_id::uuid;
