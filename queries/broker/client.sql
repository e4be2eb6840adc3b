-- name: InsertClient :exec
-- InsertClient keeps a client that registered itself.
INSERT INTO broker.client (id, name, redirect_uris, created_at)
VALUES (@id::text, @name::text, @redirect_uris::text[], @created_at::timestamptz);

-- name: FindClient :one
-- FindClient gives a registered client.
SELECT id, name, redirect_uris
FROM broker.client
WHERE id = @id::text;

-- name: TouchClient :exec
-- TouchClient remembers that a client is used, so that it stays.
UPDATE broker.client
SET used_at = @now::timestamptz
WHERE id = @id::text AND (used_at IS NULL OR used_at < @stale::timestamptz);

-- name: CountUnusedClients :one
-- CountUnusedClients counts the clients that nobody has used yet, up to a bound.
SELECT count(*)::bigint AS number
FROM (SELECT FROM broker.client WHERE used_at IS NULL LIMIT @most::bigint) AS unused;

-- name: DeleteUnusedClients :execrows
-- DeleteUnusedClients removes clients that nobody ever used.
DELETE FROM broker.client
WHERE used_at IS NULL AND created_at < @before::timestamptz;

-- name: DeleteIdleClients :execrows
-- DeleteIdleClients removes clients whose last use is so long ago that no grant
-- of theirs can be left.
DELETE FROM broker.client
WHERE used_at < @before::timestamptz;

-- name: LockAddress :exec
-- LockAddress serialises the registrations of one address.
SELECT pg_advisory_xact_lock(@key::bigint);

-- name: CountRegistrations :one
-- CountRegistrations counts an address's registrations since a time and gives
-- the oldest of them.
SELECT count(*)::bigint AS number, COALESCE(min(created_at), @since::timestamptz)::timestamptz AS oldest
FROM broker.registration
WHERE address_hash = @address_hash::bytea AND created_at > @since::timestamptz;

-- name: InsertRegistration :exec
-- InsertRegistration counts one.
INSERT INTO broker.registration (address_hash, created_at)
VALUES (@address_hash::bytea, @created_at::timestamptz);

-- name: DeleteRegistrations :execrows
-- DeleteRegistrations forgets those that count no more.
DELETE FROM broker.registration
WHERE created_at < @before::timestamptz;
