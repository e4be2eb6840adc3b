-- name: AcceptPolicy :execrows
-- AcceptPolicy binds a party to a version. An acceptance that binds already
-- stays as it is.
INSERT INTO platform.aup_acceptance (party_id, version, identity_id, accepted_at)
VALUES (@party_id::uuid, @version::bigint, @identity_id::uuid, @accepted_at::timestamptz)
ON CONFLICT ON CONSTRAINT aup_acceptance_pkey DO UPDATE
SET identity_id = excluded.identity_id, accepted_at = excluded.accepted_at, withdrawn_at = NULL
WHERE NOT EXISTS (
    SELECT 1 FROM platform.aup_binding
    WHERE aup_binding.party_id = excluded.party_id AND aup_binding.version = excluded.version
);

-- name: WithdrawAcceptances :execrows
-- WithdrawAcceptances frees a party from every version that binds it.
UPDATE platform.aup_acceptance
SET withdrawn_at = @now::timestamptz
WHERE party_id = @party_id::uuid AND withdrawn_at IS NULL;

-- name: ListAcceptances :many
-- ListAcceptances gives a page of a party's acceptances, the newest version first.
SELECT acceptance.version, policy.digest, acceptance.accepted_at, acceptance.withdrawn_at,
       identity.issuer, identity.subject, identity.voperson_id
FROM platform.aup_acceptance AS acceptance
JOIN platform.aup_version AS policy ON policy.version = acceptance.version
JOIN platform.identity ON identity.id = acceptance.identity_id
WHERE acceptance.party_id = @party_id::uuid AND acceptance.version < @before::bigint
ORDER BY acceptance.version DESC
LIMIT @page_size::integer;
