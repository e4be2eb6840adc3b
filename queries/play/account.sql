-- name: InsertAccount :execrows
-- InsertAccount makes an account, unless its username or its id is taken.
INSERT INTO play.account (id, username, display_name, language, password, active, created_at, updated_at)
VALUES (
    @id::uuid, @username::text, @display_name::text, @language::text, @password::text, true,
    @now::timestamptz, @now::timestamptz
)
ON CONFLICT DO NOTHING;

-- name: FindAccount :one
-- FindAccount gives the account of a username.
SELECT id, username, display_name, language, active, created_at
FROM play.account
WHERE username = @username::text;

-- name: ListAccounts :many
-- ListAccounts gives accounts by username.
SELECT id, username, display_name, language, active, created_at
FROM play.account
ORDER BY username
LIMIT @most::integer;

-- name: FindCredential :one
-- FindCredential gives what a login is checked against.
SELECT id, password
FROM play.account
WHERE username = @username::text;

-- name: LockAccount :one
-- LockAccount serialises all that is written about one account.
SELECT id, username, display_name, language, active, created_at, password
FROM play.account
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: HoldStanding :many
-- HoldStanding tells of two accounts whether they are active, which stays so until
-- the transaction ends.
SELECT active
FROM play.account
WHERE id = ANY (@ids::uuid[])
ORDER BY id
LIMIT 2
FOR SHARE;

-- name: UpdatePassword :execrows
-- UpdatePassword replaces a password.
UPDATE play.account
SET password = @password::text, updated_at = @now::timestamptz
WHERE id = @id::uuid;

-- name: UpdateActive :execrows
-- UpdateActive activates an account or deactivates it.
UPDATE play.account
SET active = @active::boolean, updated_at = @now::timestamptz
WHERE id = @id::uuid;

-- name: UpdateLanguage :execrows
-- UpdateLanguage changes the language in which an account is spoken to.
UPDATE play.account
SET language = @language::text, updated_at = @now::timestamptz
WHERE id = @id::uuid;
