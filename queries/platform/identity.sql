-- name: InsertIdentity :one
-- InsertIdentity makes an identity known, unless its triple is already.
INSERT INTO platform.identity (id, issuer, subject, voperson_id, party_id, created_at)
VALUES (
    @id::uuid, @issuer::text, @subject::text, @voperson_id::text, sqlc.narg(party_id)::uuid, @created_at::timestamptz
)
ON CONFLICT ON CONSTRAINT identity_triple_key DO NOTHING
RETURNING id;

-- name: LockIdentity :one
-- LockIdentity serialises the registrations of one identity.
SELECT id, party_id
FROM platform.identity
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: LockIdentityOf :one
-- LockIdentityOf finds an identity by its exact triple and locks it.
SELECT id, party_id
FROM platform.identity
WHERE issuer = @issuer::text AND subject = @subject::text AND voperson_id = @voperson_id::text
FOR NO KEY UPDATE;

-- name: SetIdentityParty :exec
-- SetIdentityParty binds an identity to a party, or to none.
UPDATE platform.identity
SET party_id = sqlc.narg(party_id)::uuid
WHERE id = @id::uuid;

-- name: ResolveIdentity :one
-- ResolveIdentity gives the standing of the party behind an exact identity.
SELECT identity.party_id,
       party.state,
       party.auth_version,
       EXISTS (SELECT 1 FROM platform.operator WHERE operator.party_id = identity.party_id) AS operator,
       COALESCE((
           SELECT newest.version
           FROM (
               SELECT version FROM platform.aup_version
               WHERE effective_at <= @now::timestamptz ORDER BY effective_at DESC LIMIT 1
           ) AS newest
           WHERE NOT EXISTS (
               SELECT 1 FROM platform.aup_binding
               WHERE aup_binding.party_id = identity.party_id AND aup_binding.version = newest.version
           )
       ), 0)::bigint AS aup_due
FROM platform.identity
LEFT JOIN platform.party ON party.id = identity.party_id
WHERE identity.issuer = @issuer::text
  AND identity.subject = @subject::text
  AND identity.voperson_id = @voperson_id::text;
