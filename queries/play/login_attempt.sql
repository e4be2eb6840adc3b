-- name: LockSubject :exec
-- LockSubject serialises the attempts of one subject.
SELECT pg_advisory_xact_lock(@key::bigint);

-- name: CountAttempts :one
-- CountAttempts counts the attempts of a subject after a time, beside one, and
-- gives the oldest of them.
SELECT count(*)::bigint AS number, COALESCE(min(created_at), @since::timestamptz)::timestamptz AS oldest
FROM play.login_attempt
WHERE subject = @subject::bytea AND created_at > @since::timestamptz AND id <> @beside::uuid;

-- name: InsertAttempt :exec
-- InsertAttempt counts one. A transaction that runs again finds its own.
INSERT INTO play.login_attempt (subject, id, created_at)
VALUES (@subject::bytea, @id::uuid, @now::timestamptz)
ON CONFLICT ON CONSTRAINT login_attempt_pkey DO NOTHING;

-- name: DeleteOldAttempts :exec
-- DeleteOldAttempts forgets a few that count no more.
DELETE FROM play.login_attempt
WHERE (subject, id) IN (
    SELECT old.subject, old.id
    FROM play.login_attempt AS old
    WHERE old.created_at <= @until::timestamptz
    ORDER BY old.created_at
    LIMIT 100
    FOR UPDATE SKIP LOCKED
);
