-- name: PutAccessToken :exec
-- PutAccessToken gives an assignment its token, in place of the one before.
INSERT INTO play.access_token (assignment_id, digest, created_at, expires_at)
VALUES (@assignment_id::uuid, @digest::bytea, @created_at::timestamptz, @expires_at::timestamptz)
ON CONFLICT ON CONSTRAINT access_token_pkey DO UPDATE
SET digest = EXCLUDED.digest, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at;

-- name: DeleteAccessToken :exec
-- DeleteAccessToken ends the token of an assignment.
DELETE FROM play.access_token
WHERE assignment_id = @assignment_id::uuid;

-- name: DeleteAccessTokensOf :exec
-- DeleteAccessTokensOf ends the tokens of all assignments that somebody leads
-- or plays.
DELETE FROM play.access_token
WHERE assignment_id IN (
    SELECT led.id FROM play.assignment AS led WHERE led.gm_id = @account_id::uuid
    UNION
    SELECT played.id FROM play.assignment AS played WHERE played.player_id = @account_id::uuid
);

-- name: FindSeat :one
-- FindSeat finds the assignment that a token is for. The token must live, and
-- the game master and the player must be active.
SELECT a.id, a.player_id, a.language
FROM play.access_token AS t
JOIN play.assignment AS a ON a.id = t.assignment_id
JOIN play.account AS gm ON gm.id = a.gm_id AND gm.active
JOIN play.account AS player ON player.id = a.player_id AND player.active
WHERE t.digest = @digest::bytea AND t.expires_at > @now::timestamptz;
