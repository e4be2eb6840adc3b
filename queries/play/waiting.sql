-- name: ListWaiting :many
-- ListWaiting lists the consequences of an assignment that nobody has decided,
-- those that wait longest first, each with the turn that proposed it.
SELECT c.id, c.version, c.position, c.category, c.description, c.created_at, e.action, e.narration, e.scene
FROM play.consequence AS c
JOIN play.event AS e ON e.assignment_id = c.assignment_id AND e.version = c.version
WHERE c.assignment_id = @assignment_id::uuid AND c.status = 'pending'
ORDER BY c.version, c.position
LIMIT @most::integer;
