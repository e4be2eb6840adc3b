-- name: LockAuthor :one
-- LockAuthor serialises what an account adds to its scenarios and its wiki, so
-- that the bounds on both are exact.
SELECT id
FROM play.account
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: CountScenarios :one
-- CountScenarios counts an owner's scenarios, which are bounded.
SELECT count(*)
FROM play.scenario
WHERE owner_id = @owner_id::uuid;

-- name: InsertScenario :execrows
-- InsertScenario inserts nothing where the id is taken.
INSERT INTO play.scenario (id, owner_id, title, summary, language, latest, request, created_at, updated_at)
VALUES (
    @id::uuid, @owner_id::uuid, @title::text, @summary::text, @language::text, 1, @request::bytea,
    @created_at::timestamptz, @created_at::timestamptz
)
ON CONFLICT ON CONSTRAINT scenario_pkey DO NOTHING;

-- name: GetScenario :one
-- GetScenario gives a scenario of an owner.
SELECT id, owner_id, title, summary, language, latest, request, created_at, updated_at
FROM play.scenario
WHERE id = @id::uuid AND owner_id = @owner_id::uuid;

-- name: LockScenario :one
-- LockScenario serialises the changes of a scenario, its versions and its nodes.
SELECT id, owner_id, title, summary, language, latest, request, created_at, updated_at
FROM play.scenario
WHERE id = @id::uuid AND owner_id = @owner_id::uuid
FOR NO KEY UPDATE;

-- name: UpdateScenario :exec
-- UpdateScenario writes what of a locked scenario can change.
UPDATE play.scenario
SET latest = @latest::bigint, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid;

-- name: ListScenarios :many
-- ListScenarios gives a part of an owner's scenarios, the oldest first, each
-- with its latest version.
SELECT s.id, s.owner_id, s.title, s.summary, s.language, s.latest, s.created_at, s.updated_at,
    v.status, v.revision, v.created_at AS version_created_at, v.published_at
FROM play.scenario AS s
JOIN play.scenario_version AS v ON v.scenario_id = s.id AND v.version = s.latest
WHERE s.owner_id = @owner_id::uuid
ORDER BY s.created_at, s.id
OFFSET @start::integer
LIMIT @most::integer;
