-- name: InsertParty :exec
-- InsertParty registers a person.
INSERT INTO platform.party (id, username, display_name, email, affiliation, state, created_at, updated_at)
VALUES (
    @id::uuid, @username::text, @display_name::text, @email::text, @affiliation::text, @state::text,
    @created_at::timestamptz, @created_at::timestamptz
);

-- name: GetParty :one
-- GetParty gives a party whole.
SELECT id, username, display_name, email, affiliation, auth_version, revision, created_at, updated_at,
       EXISTS (SELECT 1 FROM platform.operator WHERE operator.party_id = party.id) AS operator
FROM platform.party
WHERE id = @id::uuid;

-- name: FindParty :one
-- FindParty gives the party with a username.
SELECT id
FROM platform.party
WHERE username = @username::text;

-- name: LockParty :one
-- LockParty serialises the changes of one party.
SELECT display_name, affiliation, state, auth_version, revision
FROM platform.party
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: UpdateProfile :one
-- UpdateProfile changes a party's profile and gives its revision.
UPDATE platform.party
SET display_name = @display_name::text,
    affiliation  = @affiliation::text,
    revision     = revision + 1,
    updated_at   = @now::timestamptz
WHERE id = @id::uuid
RETURNING revision;

-- name: SetPartyState :exec
-- SetPartyState moves a party to another state.
UPDATE platform.party
SET state = @state::text, updated_at = @now::timestamptz
WHERE id = @id::uuid;

-- name: RaiseAuthVersion :one
-- RaiseAuthVersion voids every session and token of a party.
UPDATE platform.party
SET auth_version = auth_version + 1
WHERE id = @id::uuid
RETURNING auth_version;

-- name: GetPeer :one
-- GetPeer gives what one party may see of another: itself, and those who share a
-- project with it.
SELECT id, username, display_name, affiliation
FROM platform.party
WHERE id = @id::uuid
  AND (
      id = @viewer::uuid
      OR EXISTS (
          SELECT 1
          FROM platform.member AS mine
          JOIN platform.member AS theirs ON theirs.project_id = mine.project_id
          WHERE mine.party_id = @viewer::uuid AND theirs.party_id = party.id
      )
  );

-- name: ListPeers :many
-- ListPeers gives a page of the people whom a party may see, by username.
SELECT party.id, party.username, party.display_name, party.affiliation
FROM (
    SELECT theirs.party_id
    FROM platform.member AS mine
    JOIN platform.member AS theirs ON theirs.project_id = mine.project_id
    WHERE mine.party_id = @viewer::uuid
    UNION
    SELECT @viewer::uuid
) AS peer
JOIN platform.party ON party.id = peer.party_id
WHERE starts_with(party.username, @prefix::text) AND party.username > @after_name::text
ORDER BY party.username
LIMIT @page_size::integer;
