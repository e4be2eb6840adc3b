-- name: GetStanding :one
-- GetStanding tells what a party is in a project; there is no row for others.
SELECT m.role, p.state
FROM platform.member AS m
JOIN platform.project AS p ON p.id = m.project_id
WHERE m.project_id = @project_id::uuid AND m.party_id = @party_id::uuid;

-- name: ShareProject :execrows
-- ShareProject holds off changes of a project, its members included, while
-- others may share it too.
SELECT id
FROM platform.project
WHERE id = @id::uuid
FOR SHARE;

-- name: LockProject :exec
-- LockProject serialises the changes of a project and of its members, and
-- waits for what shares it.
SELECT id
FROM platform.project
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: InsertProject :execrows
-- InsertProject inserts nothing where the id or the creator's slug is taken.
INSERT INTO platform.project (
    id, slug, name, description, state, members, revision, created_by, created_at, updated_at
)
VALUES (
    @id::uuid, @slug::text, @name::text, @description::text, 'active', 1, 1, @created_by::uuid, @created_at::timestamptz,
    @created_at::timestamptz
)
ON CONFLICT DO NOTHING;

-- name: CountProjects :one
-- CountProjects counts what a party created and did not delete, up to a bound.
SELECT count(*)
FROM (
    SELECT 1
    FROM platform.project
    WHERE created_by = @created_by::uuid AND state <> 'deleted'
    LIMIT @most::integer
) AS counted;

-- name: FindTaken :one
-- FindTaken tells which of a new project's names are taken: its id, by anything
-- that ever had it, and its slug, by another project of its creator.
SELECT
    EXISTS (SELECT 1 FROM platform.project WHERE id = @id::uuid) AS id_taken,
    EXISTS (
        SELECT 1 FROM platform.project WHERE created_by = @created_by::uuid AND slug = @slug::text AND state <> 'deleted'
    ) AS slug_taken;

-- name: UpdateProject :one
-- UpdateProject writes what of a project can change and raises its revision.
UPDATE platform.project
SET name = @name::text, description = @description::text, state = @state::text, members = @members::integer,
    revision = revision + 1, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid
RETURNING revision;

-- name: GetProject :one
-- GetProject gives a project as one of its members sees it.
SELECT p.id, p.slug, p.name, p.description, p.state, p.members, p.revision, p.created_by, p.created_at, p.updated_at, m.role
FROM platform.member AS m
JOIN platform.project AS p ON p.id = m.project_id
WHERE m.project_id = @project_id::uuid AND m.party_id = @party_id::uuid;

-- name: ListProjects :many
-- ListProjects gives a page of a party's projects, the last joined first.
SELECT p.id, p.slug, p.name, p.description, p.state, p.members, p.revision, p.created_by, p.created_at, p.updated_at, m.role, m.added_at
FROM platform.member AS m
JOIN platform.project AS p ON p.id = m.project_id
WHERE m.party_id = @party_id::uuid
  AND (m.added_at, m.project_id) < (@before_time::timestamptz, @before_id::uuid)
  AND (@state::text = '' OR p.state = @state::text)
ORDER BY m.added_at DESC, m.project_id DESC
LIMIT @page_size::integer;
