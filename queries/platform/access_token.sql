-- name: InsertToken :exec
-- InsertToken makes a personal access token. A transaction that runs again finds
-- its own.
INSERT INTO platform.access_token (id, party_id, digest, name, scopes, auth_version, created_at, expires_at)
VALUES (
    @id::uuid, @party_id::uuid, @digest::bytea, @name::text, @scopes::text[], @auth_version::bigint,
    @created_at::timestamptz, @expires_at::timestamptz
)
ON CONFLICT ON CONSTRAINT access_token_pkey DO NOTHING;

-- name: FindToken :one
-- FindToken gives a token with the standing of its party.
SELECT token.id,
       token.party_id,
       token.scopes,
       token.auth_version,
       token.expires_at,
       token.last_used_at,
       party.state,
       party.auth_version AS current_version,
       EXISTS (SELECT 1 FROM platform.operator WHERE operator.party_id = token.party_id) AS operator,
       COALESCE((
           SELECT newest.version
           FROM (
               SELECT version FROM platform.aup_version
               WHERE effective_at <= @now::timestamptz ORDER BY effective_at DESC LIMIT 1
           ) AS newest
           WHERE NOT EXISTS (
               SELECT 1 FROM platform.aup_binding
               WHERE aup_binding.party_id = token.party_id AND aup_binding.version = newest.version
           )
       ), 0)::bigint AS aup_due
FROM platform.access_token AS token
JOIN platform.party ON party.id = token.party_id
WHERE token.digest = @digest::bytea;

-- name: TouchToken :exec
-- TouchToken notes when a token was used last.
UPDATE platform.access_token
SET last_used_at = GREATEST(last_used_at, @used_at::timestamptz)
WHERE id = @id::uuid;

-- name: DeleteVoidTokens :exec
-- DeleteVoidTokens clears away a party's tokens that cannot be used any more.
DELETE FROM platform.access_token
WHERE party_id = @party_id::uuid AND (expires_at <= @now::timestamptz OR auth_version <> @auth_version::bigint);

-- name: CountTokens :one
-- CountTokens counts a party's tokens beside one.
SELECT count(*)
FROM platform.access_token
WHERE party_id = @party_id::uuid AND id <> @beside::uuid;

-- name: ListTokens :many
-- ListTokens gives a page of a party's tokens, the newest first.
SELECT id, name, scopes, auth_version, created_at, expires_at, last_used_at
FROM platform.access_token
WHERE party_id = @party_id::uuid
  AND (created_at, id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @page_size::integer;

-- name: DeleteToken :execrows
-- DeleteToken revokes a party's token.
DELETE FROM platform.access_token
WHERE id = @id::uuid AND party_id = @party_id::uuid;
