-- name: InsertGrant :exec
-- InsertGrant keeps what a person granted.
INSERT INTO broker.authorization_grant (
    id, client_id, party_id, auth_version, identity_issuer, identity_subject, identity_voperson_id,
    scope, operator, created_at, expires_at
) VALUES (
    @id::uuid, @client_id::text, @party_id::text, @auth_version::bigint, @identity_issuer::text, @identity_subject::text,
    @identity_voperson_id::text, @scope::text, @operator::boolean, @created_at::timestamptz, @expires_at::timestamptz
)
ON CONFLICT ON CONSTRAINT authorization_grant_pkey DO NOTHING;

-- name: FindGrant :one
-- FindGrant gives a grant that still holds.
SELECT id, client_id, party_id, auth_version, identity_issuer, identity_subject, identity_voperson_id, scope, operator, expires_at
FROM broker.authorization_grant
WHERE id = @id::uuid AND revoked_at IS NULL AND expires_at > @now::timestamptz;

-- name: RevokeGrant :execrows
-- RevokeGrant ends a grant with all its tokens; the first reason stays.
UPDATE broker.authorization_grant
SET revoked_at = @now::timestamptz, revoked_because = @because::text
WHERE id = @id::uuid AND revoked_at IS NULL;

-- name: DeleteOldGrants :execrows
-- DeleteOldGrants forgets grants that ended, with their codes and tokens.
DELETE FROM broker.authorization_grant
WHERE expires_at < @before::timestamptz OR revoked_at < @before::timestamptz;
