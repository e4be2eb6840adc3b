-- name: InsertCredential :one
-- InsertCredential gives an identity a username and a password, unless the
-- username is taken.
INSERT INTO platform.credential (identity_id, username, password, temporary, updated_at)
VALUES (@identity_id::uuid, @username::text, @password::text, @temporary::boolean, @updated_at::timestamptz)
ON CONFLICT ON CONSTRAINT credential_username_key DO NOTHING
RETURNING identity_id;

-- name: FindCredential :one
-- FindCredential gives what a login with a username is checked against.
SELECT credential.identity_id, credential.password, identity.party_id, party.state, party.auth_version
FROM platform.credential
JOIN platform.identity ON identity.id = credential.identity_id
LEFT JOIN platform.party ON party.id = identity.party_id
WHERE credential.username = @username::text;

-- name: GetCredential :one
-- GetCredential gives the username and the password of an identity.
SELECT username, password, temporary
FROM platform.credential
WHERE identity_id = @identity_id::uuid;

-- name: UpdatePassword :exec
-- UpdatePassword replaces a password.
UPDATE platform.credential
SET password = @password::text, temporary = @temporary::boolean, updated_at = @updated_at::timestamptz
WHERE identity_id = @identity_id::uuid;

-- name: LockCredential :one
-- LockCredential serialises the logins of one identity with each other and with
-- a change of its password.
SELECT password
FROM platform.credential
WHERE identity_id = @identity_id::uuid
FOR NO KEY UPDATE;

-- name: HasTemporaryPassword :one
-- HasTemporaryPassword tells whether a party has a password that somebody else
-- has chosen.
SELECT EXISTS (
    SELECT 1
    FROM platform.identity
    JOIN platform.credential ON credential.identity_id = identity.id
    WHERE identity.party_id = @party_id::uuid AND credential.temporary
);
