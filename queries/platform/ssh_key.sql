-- name: CountSSHKeys :one
-- CountSSHKeys counts a party's keys, up to a bound, and tells whether one of
-- them has a fingerprint.
SELECT count(*), EXISTS (
    SELECT 1
    FROM platform.ssh_key
    WHERE party_id = @party_id::uuid AND fingerprint = @fingerprint::text
) AS there
FROM (
    SELECT 1
    FROM platform.ssh_key
    WHERE party_id = @party_id::uuid
    LIMIT @most::integer
) AS counted;

-- name: FindSSHKey :one
-- FindSSHKey tells whose key has an identifier.
SELECT party_id, revision
FROM platform.ssh_key
WHERE id = @id::uuid;

-- name: InsertSSHKey :execrows
-- InsertSSHKey adds a key unless its identifier is taken.
INSERT INTO platform.ssh_key (
    id, party_id, name, algorithm, bits, fingerprint, public_key, comment, revision, created_at, updated_at
) VALUES (
    @id::uuid, @party_id::uuid, @name::text, @algorithm::text, @bits::integer, @fingerprint::text, @public_key::text,
    @comment::text, 1, @created_at::timestamptz, @created_at::timestamptz
)
ON CONFLICT ON CONSTRAINT ssh_key_pkey DO NOTHING;

-- name: LockSSHKey :one
-- LockSSHKey finds a key of a party and serialises the commands on it.
SELECT revision
FROM platform.ssh_key
WHERE id = @id::uuid AND party_id = @party_id::uuid
FOR UPDATE;

-- name: RenameSSHKey :exec
-- RenameSSHKey gives a locked key another name and raises its revision.
UPDATE platform.ssh_key
SET name = @name::text, revision = revision + 1, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid;

-- name: DeleteSSHKey :exec
-- DeleteSSHKey removes a locked key.
DELETE FROM platform.ssh_key
WHERE id = @id::uuid;

-- name: GetSSHKey :one
-- GetSSHKey finds a key of a party.
SELECT id, party_id, name, algorithm, bits, fingerprint, public_key, comment, revision, created_at, updated_at
FROM platform.ssh_key
WHERE id = @id::uuid AND party_id = @party_id::uuid;

-- name: ListSSHKeys :many
-- ListSSHKeys gives a page of a party's keys, the newest first.
SELECT id, party_id, name, algorithm, bits, fingerprint, public_key, comment, revision, created_at, updated_at
FROM platform.ssh_key
WHERE party_id = @party_id::uuid
  AND (created_at, id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @page_size::integer;
