-- name: InsertScenarioVersion :exec
-- InsertScenarioVersion adds a draft to a scenario that is locked or new.
INSERT INTO play.scenario_version (scenario_id, version, status, revision, created_at, published_at)
VALUES (@scenario_id::uuid, @version::bigint, 'draft', 1, @created_at::timestamptz, NULL);

-- name: PublishScenarioVersion :exec
-- PublishScenarioVersion publishes a draft of a locked scenario for good.
UPDATE play.scenario_version
SET status = 'published', published_at = @published_at::timestamptz
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint;

-- name: ReviseScenarioVersion :exec
-- ReviseScenarioVersion marks a draft of a locked scenario whose nodes change.
UPDATE play.scenario_version
SET revision = revision + 1
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint;

-- name: GetScenarioVersion :one
-- GetScenarioVersion gives one version of a scenario.
SELECT scenario_id, version, status, revision, created_at, published_at
FROM play.scenario_version
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint;

-- name: FindScenarioVersion :one
-- FindScenarioVersion tells whether an owner's scenario has a version.
SELECT v.version
FROM play.scenario AS s
JOIN play.scenario_version AS v ON v.scenario_id = s.id AND v.version = @version::bigint
WHERE s.id = @scenario_id::uuid AND s.owner_id = @owner_id::uuid;

-- name: ListScenarioVersions :many
-- ListScenarioVersions gives the versions of a scenario, which are bounded.
SELECT scenario_id, version, status, revision, created_at, published_at
FROM play.scenario_version
WHERE scenario_id = @scenario_id::uuid
ORDER BY version
LIMIT 200;
