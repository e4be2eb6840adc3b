-- name: EnrolOperator :execrows
-- EnrolOperator makes a party an operator, unless it is one.
INSERT INTO platform.operator (party_id, enrolled_at)
VALUES (@party_id::uuid, @enrolled_at::timestamptz)
ON CONFLICT ON CONSTRAINT operator_pkey DO NOTHING;

-- name: WithdrawOperator :execrows
-- WithdrawOperator ends an enrolment.
DELETE FROM platform.operator
WHERE party_id = @party_id::uuid;
