-- name: CountNodes :one
-- CountNodes counts the nodes of a version, which are bounded.
SELECT count(*)
FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint;

-- name: CountNodesOfKind :one
-- CountNodesOfKind counts the nodes of a version that have one kind.
SELECT count(*)
FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint AND kind = @kind::text;

-- name: LastNodePosition :one
-- LastNodePosition gives the position after which no node of a version is.
SELECT position
FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint
ORDER BY position DESC
LIMIT 1;

-- name: InsertNode :exec
-- InsertNode adds a node to a draft of a locked scenario.
INSERT INTO play.node (
    scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at
)
VALUES (
    @scenario_id::uuid, @version::bigint, @id::text, @kind::text, @position::integer, @title::text, @body::text,
    @gm_notes::text, 1, @created_at::timestamptz, @created_at::timestamptz
);

-- name: CopyNodes :exec
-- CopyNodes adds the nodes of one version of a locked scenario to another, as
-- new ones.
INSERT INTO play.node (
    scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at
)
SELECT n.scenario_id, @to_version::bigint, n.id, n.kind, n.position, n.title, n.body, n.gm_notes, 1,
    @created_at::timestamptz, @created_at::timestamptz
FROM play.node AS n
WHERE n.scenario_id = @scenario_id::uuid AND n.version = @from_version::bigint;

-- name: UpdateNode :exec
-- UpdateNode writes a node of a draft of a locked scenario under its next
-- revision.
UPDATE play.node
SET kind = @kind::text, position = @position::integer, title = @title::text, body = @body::text, gm_notes = @gm_notes::text,
    revision = revision + 1, updated_at = @updated_at::timestamptz
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint AND id = @id::text;

-- name: DeleteNode :exec
-- DeleteNode takes a node out of a draft of a locked scenario.
DELETE FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint AND id = @id::text;

-- name: GetNode :one
-- GetNode gives one node.
SELECT scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at
FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint AND id = @id::text;

-- name: ListNodes :many
-- ListNodes gives a part of the nodes of a version, in their order.
SELECT scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at
FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint
ORDER BY position, id
OFFSET @start::integer
LIMIT @most::integer;

-- name: ListNodesOfKind :many
-- ListNodesOfKind is ListNodes for those of one kind.
SELECT scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at
FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint AND kind = @kind::text
ORDER BY position, id
OFFSET @start::integer
LIMIT @most::integer;
