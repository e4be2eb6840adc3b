-- name: InsertPipeline :execrows
-- InsertPipeline inserts nothing where the id is taken.
INSERT INTO platform.pipeline (
    id, project_id, name, description, state, latest, revision, created_by, created_at, updated_at
)
VALUES (
    @id::uuid, @project_id::uuid, @name::text, @description::text, 'draft', 1, 1, @created_by::uuid, @created_at::timestamptz,
    @created_at::timestamptz
)
ON CONFLICT DO NOTHING;

-- name: FindPipeline :one
-- FindPipeline gives the project of a pipeline.
SELECT project_id
FROM platform.pipeline
WHERE id = @id::uuid;

-- name: LockPipeline :one
-- LockPipeline serialises the changes of a pipeline and of its versions.
SELECT id, project_id, name, description, state, latest, published, revision, created_by, created_at, updated_at
FROM platform.pipeline
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: SharePipeline :one
-- SharePipeline holds off changes of a pipeline, while others may share it too.
SELECT id, project_id, name, description, state, latest, published, revision, created_by, created_at, updated_at
FROM platform.pipeline
WHERE id = @id::uuid
FOR SHARE;

-- name: UpdatePipeline :exec
-- UpdatePipeline writes what of a locked pipeline can change.
UPDATE platform.pipeline
SET name = @name::text, description = @description::text, state = @state::text, latest = @latest::bigint,
    published = sqlc.narg('published')::bigint, revision = @revision::bigint, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid;

-- name: DeletePipeline :exec
-- DeletePipeline deletes a locked pipeline with its versions.
DELETE FROM platform.pipeline
WHERE id = @id::uuid;

-- name: GetPipeline :one
-- GetPipeline gives a pipeline with its newest definition, as a member of its
-- project sees it.
SELECT p.id, p.project_id, p.name, p.description, p.state, p.latest, p.published, p.revision, p.created_by, p.created_at,
    p.updated_at, v.definition
FROM platform.pipeline AS p
JOIN platform.member AS m ON m.project_id = p.project_id AND m.party_id = @party_id::uuid
JOIN platform.pipeline_version AS v ON v.pipeline_id = p.id AND v.number = p.latest
WHERE p.id = @id::uuid;

-- name: ListPipelines :many
-- ListPipelines gives a page of the pipelines of one or of all projects of a
-- party, the newest first: as many of each project as the page holds, in order.
SELECT p.id, p.project_id, p.name, p.description, p.state, p.latest, p.published, p.revision, p.created_by, p.created_at,
    p.updated_at
FROM platform.member AS m
CROSS JOIN LATERAL (
    SELECT o.id, o.project_id, o.name, o.description, o.state, o.latest, o.published, o.revision, o.created_by, o.created_at,
        o.updated_at
    FROM platform.pipeline AS o
    WHERE o.project_id = m.project_id
      AND (o.created_at, o.id) < (@before_time::timestamptz, @before_id::uuid)
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @page_size::integer
) AS p
WHERE m.party_id = @party_id::uuid
  AND m.project_id = COALESCE(sqlc.narg('project_id')::uuid, m.project_id)
ORDER BY p.created_at DESC, p.id DESC
LIMIT @page_size::integer;

-- name: ListPipelinesInState :many
-- ListPipelinesInState is ListPipelines for the pipelines in one state.
SELECT p.id, p.project_id, p.name, p.description, p.state, p.latest, p.published, p.revision, p.created_by, p.created_at,
    p.updated_at
FROM platform.member AS m
CROSS JOIN LATERAL (
    SELECT o.id, o.project_id, o.name, o.description, o.state, o.latest, o.published, o.revision, o.created_by, o.created_at,
        o.updated_at
    FROM platform.pipeline AS o
    WHERE o.project_id = m.project_id AND o.state = @state::text
      AND (o.created_at, o.id) < (@before_time::timestamptz, @before_id::uuid)
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @page_size::integer
) AS p
WHERE m.party_id = @party_id::uuid
  AND m.project_id = COALESCE(sqlc.narg('project_id')::uuid, m.project_id)
ORDER BY p.created_at DESC, p.id DESC
LIMIT @page_size::integer;
