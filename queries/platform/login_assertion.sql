-- name: UseLoginAssertion :execrows
-- UseLoginAssertion notes that an assertion was shown, which is one row for the
-- first to show it and none for all others. It clears away a few that have
-- expired long since.
WITH cleared AS (
    DELETE FROM platform.login_assertion
    WHERE jti IN (
        SELECT old.jti
        FROM platform.login_assertion AS old
        WHERE old.used_at <= @cleared_until::timestamptz
        ORDER BY old.used_at
        LIMIT 100
        FOR UPDATE SKIP LOCKED
    )
)
INSERT INTO platform.login_assertion (jti, used_at)
VALUES (@jti::text, @used_at::timestamptz)
ON CONFLICT ON CONSTRAINT login_assertion_pkey DO NOTHING;
