-- name: InsertRunStep :exec
-- InsertRunStep records a step of a locked run.
INSERT INTO platform.run_step (run_id, attempt, number, name, kind, failed, output, started_at, finished_at)
VALUES (
    @run_id::uuid, @attempt::bigint, @number::bigint, @name::text, @kind::text, @failed::boolean, @output::text, @started_at::timestamptz,
    @finished_at::timestamptz
);

-- name: ListRunSteps :many
-- ListRunSteps gives the steps of a run, the last one first.
SELECT attempt, number, name, kind, failed, output, started_at, finished_at
FROM platform.run_step
WHERE run_id = @run_id::uuid
  AND (attempt, number) < (@before_attempt::bigint, @before_number::bigint)
ORDER BY attempt DESC, number DESC
LIMIT @page_size::integer;
