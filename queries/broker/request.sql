-- name: CountRequests :one
-- CountRequests counts the requests that wait: all, up to a bound, and those of
-- one address.
SELECT (
        SELECT count(*) FROM (SELECT FROM broker.request WHERE expires_at > @now::timestamptz LIMIT @most::bigint) AS waiting
    )::bigint AS waiting,
    (
        SELECT count(*) FROM broker.request WHERE address_hash = @address_hash::bytea AND expires_at > @now::timestamptz
    )::bigint AS of_address;

-- name: InsertRequest :exec
-- InsertRequest keeps an authorization that a person is asked about.
INSERT INTO broker.request (
    handle_hash, binding_hash, client_id, client_name, redirect_uri, scope, challenge, client_state, stage, address_hash,
    created_at, expires_at
) VALUES (
    @handle_hash::bytea, @binding_hash::bytea, @client_id::text, @client_name::text, @redirect_uri::text, @scope::text,
    @challenge::text, @client_state::text, 'asked', @address_hash::bytea, @created_at::timestamptz, @expires_at::timestamptz
)
ON CONFLICT ON CONSTRAINT request_pkey DO NOTHING;

-- name: FindRequest :one
-- FindRequest gives what a browser was asked about; another browser has none.
SELECT client_id, client_name, redirect_uri, scope, challenge, client_state, stage
FROM broker.request
WHERE handle_hash = @handle_hash::bytea AND binding_hash = @binding_hash::bytea AND expires_at > @now::timestamptz;

-- name: ApproveRequest :execrows
-- ApproveRequest sends a request upstream, under a new state. It may be sent
-- again, when the person presses twice or a login did not work.
UPDATE broker.request
SET stage = 'approved', state_hash = @state_hash::bytea, sealed = @sealed::bytea, taken_by = NULL
WHERE handle_hash = @handle_hash::bytea AND binding_hash = @binding_hash::bytea AND expires_at > @now::timestamptz;

-- name: TakeReturn :one
-- TakeReturn takes what the upstream provider brings back, for one taker.
UPDATE broker.request
SET stage = 'returned', taken_by = @taken_by::bytea
WHERE state_hash = @state_hash::bytea AND binding_hash = @binding_hash::bytea
  AND (stage = 'approved' OR taken_by = @taken_by::bytea) AND expires_at > @now::timestamptz
RETURNING client_id, client_name, redirect_uri, scope, challenge, client_state, sealed::bytea AS sealed;

-- name: DeleteRequest :exec
-- DeleteRequest ends a request, whatever became of it.
DELETE FROM broker.request
WHERE handle_hash = @handle_hash::bytea;

-- name: DeleteOldRequests :execrows
-- DeleteOldRequests forgets what nobody finished.
DELETE FROM broker.request
WHERE expires_at <= @now::timestamptz;
