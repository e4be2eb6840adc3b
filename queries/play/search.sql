-- name: InsertEventText :exec
-- InsertEventText makes an event one that the player reads and searches: as the
-- next in the journal, under its version. The assignment's row must be locked.
INSERT INTO play.event_text (assignment_id, version, number, folded, grams)
SELECT @assignment_id::uuid, @version::bigint, COALESCE(max(t.number), 0) + 1, @folded::text, @grams::bigint[]
FROM play.event_text AS t
WHERE t.assignment_id = @assignment_id::uuid;
