-- name: InsertTicketComment :exec
-- InsertTicketComment adds a comment to a locked ticket.
INSERT INTO platform.ticket_comment (ticket_id, number, author_id, body, created_at)
VALUES (@ticket_id::uuid, @number::integer, @author_id::uuid, @body::text, @created_at::timestamptz);

-- name: ListTicketComments :many
-- ListTicketComments lists a ticket's comments, the oldest first, from above a
-- number.
SELECT number, author_id, body, created_at
FROM platform.ticket_comment
WHERE ticket_id = @ticket_id::uuid AND number > @after_number::integer
ORDER BY number
LIMIT @most::integer;
