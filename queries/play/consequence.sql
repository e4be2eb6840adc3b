-- name: InsertConsequences :exec
-- InsertConsequences writes those that a turn proposes, in the order of the
-- lists, which are of one length.
INSERT INTO play.consequence (
    id, assignment_id, version, position, category, description, status, note, decided_version, decided_at, created_at
)
SELECT proposed.id, @assignment_id::uuid, @version::bigint, proposed.position, proposed.category,
    proposed.description, proposed.status, '', NULL, NULL, @created_at::timestamptz
FROM (
    SELECT unnest(@ids::uuid[]) AS id, generate_series(1, cardinality(@ids::uuid[])) AS position,
        unnest(@categories::text[]) AS category, unnest(@descriptions::text[]) AS description,
        unnest(@statuses::text[]) AS status
) AS proposed;

-- name: DecideConsequences :many
-- DecideConsequences decides those of an assignment that are pending, by lists
-- of one length, and gives them back.
WITH decided AS (
    UPDATE play.consequence AS c
    SET status = decision.status, note = decision.note, decided_version = @version::bigint,
        decided_at = @decided_at::timestamptz
    FROM (
        SELECT unnest(@ids::uuid[]) AS id, unnest(@statuses::text[]) AS status, unnest(@notes::text[]) AS note
    ) AS decision
    WHERE c.id = decision.id AND c.assignment_id = @assignment_id::uuid AND c.status = 'pending'
    RETURNING c.id, c.version, c.position, c.category, c.description, c.status, c.note, c.decided_at, c.created_at
)
SELECT id, version, position, category, description, status, note, decided_at, created_at
FROM decided
ORDER BY version DESC, position
LIMIT 20;

-- name: ListConsequences :many
-- ListConsequences lists a page of an assignment's consequences, those of the
-- newest turn first.
SELECT id, version, position, category, description, status, note, decided_at, created_at
FROM play.consequence
WHERE assignment_id = @assignment_id::uuid
ORDER BY version DESC, position
OFFSET @skip::integer
LIMIT @most::integer;

-- name: CountConsequences :one
-- CountConsequences counts an assignment's consequences.
SELECT count(*)
FROM play.consequence
WHERE assignment_id = @assignment_id::uuid;
