-- name: InsertAuthorToken :execrows
-- InsertAuthorToken makes a token, unless its id is taken.
INSERT INTO play.author_token (id, account_id, digest, name, created_at, expires_at)
VALUES (
    @id::uuid, @account_id::uuid, @digest::bytea, @name::text, @created_at::timestamptz, @expires_at::timestamptz
)
ON CONFLICT ON CONSTRAINT author_token_pkey DO NOTHING;

-- name: OwnsAuthorToken :one
-- OwnsAuthorToken tells whether an account has the token of an id and digest.
SELECT EXISTS (
    SELECT FROM play.author_token
    WHERE id = @id::uuid AND account_id = @account_id::uuid AND digest = @digest::bytea
);

-- name: FindAuthorToken :one
-- FindAuthorToken gives a token with the account behind it.
SELECT token.id AS token_id,
       token.expires_at,
       token.last_used_at,
       account.id,
       account.username,
       account.display_name,
       account.language,
       account.active,
       account.created_at
FROM play.author_token AS token
JOIN play.account ON account.id = token.account_id
WHERE token.digest = @digest::bytea;

-- name: TouchAuthorToken :exec
-- TouchAuthorToken notes when a token was used last.
UPDATE play.author_token
SET last_used_at = GREATEST(last_used_at, @now::timestamptz)
WHERE id = @id::uuid;

-- name: CountAuthorTokens :one
-- CountAuthorTokens counts an account's tokens beside one.
SELECT count(*)
FROM play.author_token
WHERE account_id = @account_id::uuid AND id <> @beside::uuid;

-- name: ListAuthorTokens :many
-- ListAuthorTokens gives an account's tokens that are not over, the newest first.
SELECT id, name, created_at, expires_at, last_used_at
FROM play.author_token
WHERE account_id = @account_id::uuid AND expires_at > @now::timestamptz
ORDER BY created_at DESC
LIMIT @most::integer;

-- name: DeleteAuthorToken :execrows
-- DeleteAuthorToken revokes an account's token.
DELETE FROM play.author_token
WHERE id = @id::uuid AND account_id = @account_id::uuid;

-- name: DeleteAuthorTokensOf :exec
-- DeleteAuthorTokensOf revokes every token of an account.
DELETE FROM play.author_token
WHERE account_id = @account_id::uuid;

-- name: DeleteExpiredAuthorTokens :exec
-- DeleteExpiredAuthorTokens clears away an account's tokens that are over.
DELETE FROM play.author_token
WHERE account_id = @account_id::uuid AND expires_at <= @now::timestamptz;
