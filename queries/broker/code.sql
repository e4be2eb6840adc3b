-- name: InsertCode :exec
-- InsertCode keeps a code of a grant.
INSERT INTO broker.code (code_hash, grant_id, client_id, redirect_uri, challenge, expires_at)
VALUES (@code_hash::bytea, @grant_id::uuid, @client_id::text, @redirect_uri::text, @challenge::text, @expires_at::timestamptz)
ON CONFLICT ON CONSTRAINT code_pkey DO NOTHING;

-- name: ConsumeCode :one
-- ConsumeCode uses a code up for a refresh token. Of any number at once, one
-- gets it; the same use may be repeated.
UPDATE broker.code
SET consumed_at = @now::timestamptz, consumed_by = @consumed_by::bytea
WHERE code_hash = @code_hash::bytea AND client_id = @client_id::text AND redirect_uri = @redirect_uri::text
  AND (consumed_by IS NULL OR consumed_by = @consumed_by::bytea) AND expires_at > @now::timestamptz
RETURNING grant_id, challenge;

-- name: FindConsumedCode :one
-- FindConsumedCode tells whose code was used before.
SELECT grant_id
FROM broker.code
WHERE code_hash = @code_hash::bytea AND client_id = @client_id::text AND consumed_at IS NOT NULL;
