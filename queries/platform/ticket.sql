-- name: LockRequester :exec
-- LockRequester serialises what a party opens, so that the bound on its open
-- tickets is exact.
SELECT id
FROM platform.party
WHERE id = @party_id::uuid
FOR NO KEY UPDATE;

-- name: CountOpenTickets :one
-- CountOpenTickets counts a party's tickets that are not closed, up to a bound.
SELECT count(*)
FROM (
    SELECT 1
    FROM platform.ticket
    WHERE party_id = @party_id::uuid AND state IN ('open', 'assigned')
    LIMIT @most::integer
) AS open_ticket;

-- name: InsertTicket :execrows
-- InsertTicket opens a ticket, unless the identifier is taken.
INSERT INTO platform.ticket (
    id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
) VALUES (
    @id::uuid, @party_id::uuid, @title::text, @body::text, 'open', NULL, 0, 0, 1,
    @created_at::timestamptz, @created_at::timestamptz
)
ON CONFLICT ON CONSTRAINT ticket_pkey DO NOTHING;

-- name: LockTicket :one
-- LockTicket finds a ticket and serialises the commands on it.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE id = @id::uuid
FOR NO KEY UPDATE;

-- name: GetTicket :one
-- GetTicket finds a ticket.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE id = @id::uuid;

-- name: UpdateTicket :exec
-- UpdateTicket writes what a command may change of a locked ticket, and raises
-- its revision.
UPDATE platform.ticket
SET title = @title::text, body = @body::text, state = @state::text, assignee_id = sqlc.narg(assignee_id)::uuid,
    comments = @comments::integer, said = @said::integer, revision = revision + 1, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid;

-- name: ListTickets :many
-- ListTickets lists a party's tickets, the newest first, from below a key.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE party_id = @party_id::uuid
  AND (created_at, id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @most::integer;

-- name: ListTicketsInState :many
-- ListTicketsInState lists a party's tickets in one state.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE party_id = @party_id::uuid AND state = @state::text
  AND (created_at, id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @most::integer;

-- name: ListQueue :many
-- ListQueue lists everybody's tickets, the oldest first, from above a key.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE (created_at, id) > (@after_time::timestamptz, @after_id::uuid)
ORDER BY created_at, id
LIMIT @most::integer;

-- name: ListQueueInState :many
-- ListQueueInState lists everybody's tickets in one state.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE state = @state::text
  AND (created_at, id) > (@after_time::timestamptz, @after_id::uuid)
ORDER BY created_at, id
LIMIT @most::integer;

-- name: ListQueueOf :many
-- ListQueueOf lists the tickets that one operator has or had.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE assignee_id = @assignee_id::uuid
  AND (created_at, id) > (@after_time::timestamptz, @after_id::uuid)
ORDER BY created_at, id
LIMIT @most::integer;

-- name: ListQueueOfInState :many
-- ListQueueOfInState lists one operator's tickets in one state.
SELECT id, party_id, title, body, state, assignee_id, comments, said, revision, created_at, updated_at
FROM platform.ticket
WHERE assignee_id = @assignee_id::uuid AND state = @state::text
  AND (created_at, id) > (@after_time::timestamptz, @after_id::uuid)
ORDER BY created_at, id
LIMIT @most::integer;

-- name: IsOperator :one
-- IsOperator tells whether a party is enrolled as an operator.
SELECT EXISTS (
    SELECT 1
    FROM platform.operator
    WHERE party_id = @party_id::uuid
);
