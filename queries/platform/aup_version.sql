-- name: LockPolicies :exec
-- LockPolicies lets one publication go on at a time.
LOCK TABLE platform.aup_version IN SHARE ROW EXCLUSIVE MODE;

-- name: NewestPolicy :one
-- NewestPolicy gives the policy that was published last.
SELECT version, text, effective_at
FROM platform.aup_version
ORDER BY version DESC
LIMIT 1;

-- name: InsertPolicy :exec
-- InsertPolicy publishes a policy.
INSERT INTO platform.aup_version (version, text, effective_at, published_at)
VALUES (@version::bigint, @text::text, @effective_at::timestamptz, @published_at::timestamptz);

-- name: GetPolicy :one
-- GetPolicy gives one version of the policy.
SELECT version, text, effective_at, published_at
FROM platform.aup_version
WHERE version = @version::bigint;

-- name: RequiredPolicy :one
-- RequiredPolicy gives the newest version in effect, or 0.
SELECT COALESCE((
    SELECT version FROM platform.aup_version
    WHERE effective_at <= @now::timestamptz ORDER BY effective_at DESC LIMIT 1
), 0)::bigint;

-- name: ListPolicies :many
-- ListPolicies gives a page of versions, the newest first, without their texts.
SELECT version, effective_at, published_at
FROM platform.aup_version
WHERE version < @before::bigint
ORDER BY version DESC
LIMIT @page_size::integer;
