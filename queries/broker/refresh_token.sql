-- name: InsertRefreshToken :exec
-- InsertRefreshToken keeps a token of a grant.
INSERT INTO broker.refresh_token (token_hash, grant_id, generation, created_at, expires_at)
VALUES (@token_hash::bytea, @grant_id::uuid, @generation::bigint, @created_at::timestamptz, @expires_at::timestamptz)
ON CONFLICT ON CONSTRAINT refresh_token_pkey DO NOTHING;

-- name: FindRefreshToken :one
-- FindRefreshToken gives a token with its grant, held or not, and whether its
-- successor has been used.
SELECT token.grant_id,
       token.generation,
       token.expires_at,
       token.rotated_at,
       token.successor_sealed,
       COALESCE(successor.rotated_at IS NOT NULL, false)::boolean AS successor_used,
       granted.client_id,
       granted.revoked_at
FROM broker.refresh_token AS token
JOIN broker.authorization_grant AS granted ON granted.id = token.grant_id
LEFT JOIN broker.refresh_token AS successor ON successor.token_hash = token.successor_hash
WHERE token.token_hash = @token_hash::bytea;

-- name: RotateRefreshToken :execrows
-- RotateRefreshToken gives a token its successor. Of any number at once, one
-- does; the same rotation may be repeated.
UPDATE broker.refresh_token
SET rotated_at = @now::timestamptz, successor_hash = @successor_hash::bytea, successor_sealed = @successor_sealed::bytea
WHERE token_hash = @token_hash::bytea AND (rotated_at IS NULL OR successor_hash = @successor_hash::bytea) AND expires_at > @now::timestamptz;

-- name: DeleteOldRefreshTokens :execrows
-- DeleteOldRefreshTokens forgets tokens that are refused for their age alone.
DELETE FROM broker.refresh_token
WHERE expires_at < @before::timestamptz;
