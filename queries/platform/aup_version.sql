-- name: LockPolicies :exec
-- LockPolicies lets one publication go on at a time, and nobody else wait.
LOCK TABLE platform.aup_version IN SHARE ROW EXCLUSIVE MODE;

-- name: NewestPolicy :one
-- NewestPolicy gives the policy that was published last.
SELECT version, digest, effective_at, published_at
FROM platform.aup_version
ORDER BY version DESC
LIMIT 1;

-- name: InsertPolicy :exec
-- InsertPolicy publishes a policy.
INSERT INTO platform.aup_version (version, title, text, digest, effective_at, published_at)
VALUES (
    @version::bigint, @title::text, @text::text, @digest::bytea, @effective_at::timestamptz, @published_at::timestamptz
);

-- name: GetPolicy :one
-- GetPolicy gives one version of the policy.
SELECT version, title, text, digest, effective_at, published_at,
       COALESCE(version = (
           SELECT newest.version FROM platform.aup_version AS newest
           WHERE newest.effective_at <= @now::timestamptz ORDER BY newest.effective_at DESC LIMIT 1
       ), false)::boolean AS current
FROM platform.aup_version
WHERE version = @version::bigint;

-- name: RequiredPolicy :one
-- RequiredPolicy gives the newest version in effect.
SELECT version, digest
FROM platform.aup_version
WHERE effective_at <= @now::timestamptz
ORDER BY effective_at DESC
LIMIT 1;

-- name: ListPolicies :many
-- ListPolicies gives a page of versions, the newest first, without their texts.
SELECT version, title, digest, effective_at, published_at,
       COALESCE(version = (
           SELECT newest.version FROM platform.aup_version AS newest
           WHERE newest.effective_at <= @now::timestamptz ORDER BY newest.effective_at DESC LIMIT 1
       ), false)::boolean AS current
FROM platform.aup_version
WHERE version < @before::bigint
ORDER BY version DESC
LIMIT @page_size::integer;
