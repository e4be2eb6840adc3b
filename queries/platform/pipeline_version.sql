-- name: InsertPipelineVersion :exec
-- InsertPipelineVersion adds a version to a pipeline that is locked or new.
INSERT INTO platform.pipeline_version (pipeline_id, number, definition, created_by, created_at)
VALUES (@pipeline_id::uuid, @number::bigint, @definition::jsonb, @created_by::uuid, @created_at::timestamptz);

-- name: PublishPipelineVersion :exec
-- PublishPipelineVersion marks a version of a locked pipeline.
UPDATE platform.pipeline_version
SET published_at = @published_at::timestamptz
WHERE pipeline_id = @pipeline_id::uuid AND number = @number::bigint;

-- name: GetPipelineVersion :one
-- GetPipelineVersion gives one version of a pipeline.
SELECT pipeline_id, number, definition, created_by, created_at, published_at
FROM platform.pipeline_version
WHERE pipeline_id = @pipeline_id::uuid AND number = @number::bigint;

-- name: ListPipelineVersions :many
-- ListPipelineVersions gives a page of a pipeline's versions, the newest first,
-- as a member of its project sees them.
SELECT v.pipeline_id, v.number, v.definition, v.created_by, v.created_at, v.published_at
FROM platform.pipeline AS p
JOIN platform.member AS m ON m.project_id = p.project_id AND m.party_id = @party_id::uuid
JOIN platform.pipeline_version AS v ON v.pipeline_id = p.id
WHERE p.id = @pipeline_id::uuid AND v.number < @before::bigint
ORDER BY v.number DESC
LIMIT @page_size::integer;
