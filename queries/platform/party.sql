-- name: InsertParty :exec
-- InsertParty registers a person.
INSERT INTO platform.party (id, display_name, sort_name, email, affiliation, state, created_at, updated_at)
VALUES (
    @id::uuid, @display_name::text, @sort_name::text, @email::text, sqlc.narg(affiliation)::text, @state::text,
    @created_at::timestamptz, @created_at::timestamptz
);

-- name: GetParty :one
-- GetParty gives a party whole, with the policy it must still accept or 0.
SELECT id, display_name, email, affiliation, state, auth_version, revision, created_at, updated_at,
       EXISTS (SELECT 1 FROM platform.operator WHERE operator.party_id = party.id) AS operator,
       COALESCE((
           SELECT newest.version
           FROM (
               SELECT version FROM platform.aup_version
               WHERE effective_at <= @now::timestamptz ORDER BY effective_at DESC LIMIT 1
           ) AS newest
           WHERE NOT EXISTS (
               SELECT 1 FROM platform.aup_binding
               WHERE aup_binding.party_id = party.id AND aup_binding.version = newest.version
           )
       ), 0)::bigint AS aup_due
FROM platform.party
WHERE id = @id::uuid;

-- name: LockParty :one
-- LockParty serialises the changes of one party.
SELECT id, state, auth_version, revision
FROM platform.party
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: UpdateProfile :one
-- UpdateProfile changes a party's profile and gives its revision.
UPDATE platform.party
SET display_name = @display_name::text,
    sort_name    = @sort_name::text,
    email        = @email::text,
    affiliation  = sqlc.narg(affiliation)::text,
    revision     = revision + 1,
    updated_at   = @now::timestamptz
WHERE id = @id::uuid
RETURNING revision;

-- name: SetPartyState :exec
-- SetPartyState moves a party to another state.
UPDATE platform.party
SET state = @state::text, revision = revision + 1, updated_at = @now::timestamptz
WHERE id = @id::uuid;

-- name: RaiseAuthVersion :one
-- RaiseAuthVersion voids every session and token of a party.
UPDATE platform.party
SET auth_version = auth_version + 1
WHERE id = @id::uuid
RETURNING auth_version;

-- name: GetPeer :one
-- GetPeer gives what one party may see of another: those who share a project.
SELECT id, display_name, affiliation, state, created_at
FROM platform.party
WHERE id = @id::uuid
  AND EXISTS (
      SELECT 1
      FROM platform.member AS mine
      JOIN platform.member AS theirs ON theirs.project_id = mine.project_id
      WHERE mine.party_id = @viewer::uuid AND theirs.party_id = party.id
  );

-- name: ListPeers :many
-- ListPeers gives a page of the people who share a project with a party, by
-- name. The party itself is none of them.
SELECT party.id, party.display_name, party.sort_name, party.affiliation, party.state, party.created_at
FROM (
    SELECT DISTINCT theirs.party_id
    FROM platform.member AS mine
    JOIN platform.member AS theirs ON theirs.project_id = mine.project_id
    WHERE mine.party_id = @viewer::uuid AND theirs.party_id <> @viewer::uuid
) AS peer
JOIN platform.party ON party.id = peer.party_id
WHERE starts_with(party.sort_name, @prefix::text)
  AND (party.sort_name, party.id) > (@after_name::text, @after_id::uuid)
ORDER BY party.sort_name, party.id
LIMIT @page_size::integer;
