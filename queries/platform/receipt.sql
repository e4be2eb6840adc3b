-- name: LockReceiptKey :exec
-- LockReceiptKey serialises the commands under one key until the transaction
-- ends. The lock is that of a number made from the key.
SELECT pg_advisory_xact_lock(@lock::bigint);

-- name: GetReceipt :one
-- GetReceipt finds what was answered under a key since a moment.
SELECT request, aggregate_id, version, rejection, status, pending, value
FROM platform.receipt
WHERE party_id = @party_id::uuid AND operation = @operation::text AND key = @key::uuid
  AND created_at > @since::timestamptz;

-- name: PutReceipt :exec
-- PutReceipt keeps an answer. The caller holds the key's lock and has found no
-- receipt, so one that is there has expired.
INSERT INTO platform.receipt (
    party_id, operation, key, request, aggregate_id, version, rejection, status, pending, value, created_at
) VALUES (
    @party_id::uuid, @operation::text, @key::uuid, @request::bytea, @aggregate_id::uuid, @version::bigint,
    @rejection::text, @status::integer, @pending::boolean, @value::json, @created_at::timestamptz
)
ON CONFLICT (party_id, operation, key) DO UPDATE SET
    request = EXCLUDED.request, aggregate_id = EXCLUDED.aggregate_id, version = EXCLUDED.version,
    rejection = EXCLUDED.rejection, status = EXCLUDED.status, pending = EXCLUDED.pending,
    value = EXCLUDED.value, created_at = EXCLUDED.created_at;

-- name: DeleteExpiredReceipts :execrows
-- DeleteExpiredReceipts forgets the oldest receipts up to a moment, at most so
-- many, and passes over those that another cleaner or a command holds.
DELETE FROM platform.receipt
WHERE (party_id, operation, key) IN (
    SELECT r.party_id, r.operation, r.key
    FROM platform.receipt r
    WHERE r.created_at <= @before::timestamptz
    ORDER BY r.created_at
    LIMIT @most::integer
    FOR UPDATE SKIP LOCKED
);
