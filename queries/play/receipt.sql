-- name: GetReceipt :one
-- GetReceipt finds what was answered to an operation.
SELECT kind, request, attempt_id, result
FROM play.receipt
WHERE assignment_id = @assignment_id::uuid AND operation_id = @operation_id::uuid;

-- name: InsertReceipt :exec
-- InsertReceipt keeps the answer to an operation.
INSERT INTO play.receipt (assignment_id, operation_id, kind, request, attempt_id, version, result, created_at)
VALUES (
    @assignment_id::uuid, @operation_id::uuid, @kind::text, @request::bytea, @attempt_id::uuid, @version::bigint,
    @result::json, @created_at::timestamptz
);
