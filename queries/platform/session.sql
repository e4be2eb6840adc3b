-- name: InsertSession :exec
-- InsertSession begins a session. A transaction that runs again finds its own.
INSERT INTO platform.session (digest, identity_id, auth_version, created_at, seen_at, expires_at)
VALUES (
    @digest::bytea, @identity_id::uuid, @auth_version::bigint,
    @created_at::timestamptz, @created_at::timestamptz, @expires_at::timestamptz
)
ON CONFLICT ON CONSTRAINT session_pkey DO UPDATE
SET auth_version = excluded.auth_version;

-- name: FindSession :one
-- FindSession gives a session with the standing of the party behind it.
SELECT session.identity_id,
       session.auth_version,
       session.created_at,
       session.seen_at,
       session.expires_at,
       identity.party_id,
       COALESCE(credential.username, party.username, '')::text AS username,
       COALESCE(credential.temporary, false)::boolean AS temporary,
       party.state,
       COALESCE(party.auth_version, 0)::bigint AS current_version,
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
FROM platform.session
JOIN platform.identity ON identity.id = session.identity_id
LEFT JOIN platform.credential ON credential.identity_id = identity.id
LEFT JOIN platform.party ON party.id = identity.party_id
WHERE session.digest = @digest::bytea;

-- name: TouchSession :exec
-- TouchSession notes that a session is in use.
UPDATE platform.session
SET seen_at = GREATEST(seen_at, @seen_at::timestamptz)
WHERE digest = @digest::bytea;

-- name: DeleteSession :exec
-- DeleteSession ends a session.
DELETE FROM platform.session
WHERE digest = @digest::bytea;

-- name: DeleteSessionsOf :exec
-- DeleteSessionsOf ends every session of an identity.
DELETE FROM platform.session
WHERE identity_id = @identity_id::uuid;

-- name: DeleteOldSessions :exec
-- DeleteOldSessions ends the sessions of an identity that are more than the
-- newest few.
DELETE FROM platform.session
WHERE digest IN (
    SELECT old.digest
    FROM platform.session AS old
    WHERE old.identity_id = @identity_id::uuid
    ORDER BY old.created_at DESC
    LIMIT 1000 OFFSET @keep::integer
);

-- name: DeleteExpiredSessions :exec
-- DeleteExpiredSessions clears away a few sessions that nobody can use any more.
DELETE FROM platform.session
WHERE digest IN (
    SELECT old.digest
    FROM platform.session AS old
    WHERE old.expires_at <= @now::timestamptz
    ORDER BY old.expires_at
    LIMIT 100
    FOR UPDATE SKIP LOCKED
);
