-- name: InsertRequest :exec
-- InsertRequest keeps an authorization that a person is asked about.
INSERT INTO broker.request (
    handle_hash, binding_hash, client_id, client_name, redirect_uri, scope, challenge, client_state, stage, created_at, expires_at
) VALUES (
    @handle_hash::bytea, @binding_hash::bytea, @client_id::text, @client_name::text, @redirect_uri::text, @scope::text,
    @challenge::text, @client_state::text, 'asked', @created_at::timestamptz, @expires_at::timestamptz
);

-- name: FindRequest :one
-- FindRequest gives what a browser was asked about; another browser has none.
SELECT client_id, client_name, redirect_uri, scope, challenge, client_state, stage
FROM broker.request
WHERE handle_hash = @handle_hash::bytea AND binding_hash = @binding_hash::bytea AND expires_at > @now::timestamptz;

-- name: ApproveRequest :execrows
-- ApproveRequest sends a request upstream, under a new state, and binds it to
-- the cookie of the approval. It may be sent again when the answer was lost.
UPDATE broker.request
SET stage = 'approved', state_hash = @state_hash::bytea, sealed = @sealed::bytea, binding_hash = @new_binding_hash::bytea
WHERE handle_hash = @handle_hash::bytea AND binding_hash = @binding_hash::bytea AND expires_at > @now::timestamptz;

-- name: TakeReturn :one
-- TakeReturn takes what the upstream provider brings back, once.
UPDATE broker.request
SET stage = 'returned'
WHERE state_hash = @state_hash::bytea AND binding_hash = @binding_hash::bytea
  AND stage = 'approved' AND expires_at > @now::timestamptz
RETURNING handle_hash, client_id, client_name, redirect_uri, scope, challenge, client_state, sealed::bytea AS sealed;

-- name: DeleteRequest :exec
-- DeleteRequest ends a request, whatever became of it.
DELETE FROM broker.request
WHERE handle_hash = @handle_hash::bytea;

-- name: DeleteOldRequests :execrows
-- DeleteOldRequests forgets what nobody finished.
DELETE FROM broker.request
WHERE expires_at <= @now::timestamptz;
