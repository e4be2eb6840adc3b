-- name: IsParty :one
-- IsParty tells whether a party exists that can become a member.
SELECT EXISTS (
    SELECT 1
    FROM platform.party
    WHERE id = @id::uuid AND state <> 'deactivated'
);

-- name: GetMember :one
-- GetMember gives a party's membership of a project.
SELECT role, added_at
FROM platform.member
WHERE project_id = @project_id::uuid AND party_id = @party_id::uuid;

-- name: InsertMember :exec
-- InsertMember adds a party to a project whose row is locked or new.
INSERT INTO platform.member (project_id, party_id, role, added_at)
VALUES (@project_id::uuid, @party_id::uuid, @role::text, @added_at::timestamptz);

-- name: UpdateMember :exec
-- UpdateMember changes a member's role.
UPDATE platform.member
SET role = @role::text
WHERE project_id = @project_id::uuid AND party_id = @party_id::uuid;

-- name: DeleteMember :exec
-- DeleteMember takes a party out of a project.
DELETE FROM platform.member
WHERE project_id = @project_id::uuid AND party_id = @party_id::uuid;

-- name: DeleteMembers :exec
-- DeleteMembers takes everybody out of a project.
DELETE FROM platform.member
WHERE project_id = @project_id::uuid;

-- name: HasOtherOwner :one
-- HasOtherOwner tells whether a project has an owner beside a party.
SELECT EXISTS (
    SELECT 1
    FROM platform.member
    WHERE project_id = @project_id::uuid AND role = 'owner' AND party_id <> @party_id::uuid
);

-- name: CountMembers :one
-- CountMembers counts a project's members, up to a bound.
SELECT count(*)
FROM (
    SELECT 1
    FROM platform.member
    WHERE project_id = @project_id::uuid
    LIMIT @most::integer
) AS counted;

-- name: ListMembers :many
-- ListMembers gives a page of a project's members, the first joined first.
SELECT party_id, role, added_at
FROM platform.member
WHERE project_id = @project_id::uuid
  AND (added_at, party_id) > (@after_time::timestamptz, @after_id::uuid)
ORDER BY added_at, party_id
LIMIT @page_size::integer;
