-- name: InsertLogin :exec
-- InsertLogin begins a session. A transaction that runs again finds its own.
INSERT INTO play.login (digest, account_id, created_at, seen_at, expires_at)
VALUES (@digest::bytea, @account_id::uuid, @now::timestamptz, @now::timestamptz, @expires_at::timestamptz)
ON CONFLICT ON CONSTRAINT login_pkey DO NOTHING;

-- name: FindLogin :one
-- FindLogin gives a session with the account behind it.
SELECT login.seen_at,
       login.expires_at,
       account.id,
       account.username,
       account.display_name,
       account.language,
       account.active,
       account.created_at
FROM play.login
JOIN play.account ON account.id = login.account_id
WHERE login.digest = @digest::bytea;

-- name: TouchLogin :exec
-- TouchLogin notes that a session is in use.
UPDATE play.login
SET seen_at = GREATEST(seen_at, @now::timestamptz)
WHERE digest = @digest::bytea;

-- name: DeleteLogins :exec
-- DeleteLogins ends sessions.
DELETE FROM play.login
WHERE digest = ANY (@digests::bytea[]);

-- name: DeleteLoginsOf :exec
-- DeleteLoginsOf ends every session of an account.
DELETE FROM play.login
WHERE account_id = @account_id::uuid;

-- name: DeleteOldLogins :exec
-- DeleteOldLogins ends the sessions of an account that are more than the newest
-- few.
DELETE FROM play.login
WHERE digest IN (
    SELECT old.digest
    FROM play.login AS old
    WHERE old.account_id = @account_id::uuid
    ORDER BY old.created_at DESC
    LIMIT 1000 OFFSET @keep::integer
);

-- name: DeleteExpiredLogins :exec
-- DeleteExpiredLogins clears away a few sessions that nobody can use any more.
DELETE FROM play.login
WHERE digest IN (
    SELECT old.digest
    FROM play.login AS old
    WHERE old.expires_at <= @now::timestamptz
    ORDER BY old.expires_at
    LIMIT 100
    FOR UPDATE SKIP LOCKED
);
