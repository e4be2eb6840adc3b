-- name: IsParty :one
-- IsParty tells whether a party exists that can become a member.
SELECT EXISTS (
    SELECT 1
    FROM platform.party
    WHERE id = @id::uuid AND state <> 'deactivated'
);

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

-- name: ListMembers :many
-- ListMembers gives a page of a project's members, the first joined first.
SELECT m.party_id, p.username, p.display_name, m.role, m.added_at
FROM platform.member AS m
JOIN platform.party AS p ON p.id = m.party_id
WHERE m.project_id = @project_id::uuid
  AND (m.added_at, m.party_id) > (@after_time::timestamptz, @after_id::uuid)
ORDER BY m.added_at, m.party_id
LIMIT @page_size::integer;
