-- name: InsertEventText :exec
-- InsertEventText makes an event one that the player reads and searches: as the
-- next in the journal, under its version. The assignment's row must be locked.
INSERT INTO play.event_text (assignment_id, version, number, folded, grams)
SELECT @assignment_id::uuid, @version::bigint, COALESCE(max(t.number), 0) + 1, @folded::text, @grams::bigint[]
FROM play.event_text AS t
WHERE t.assignment_id = @assignment_id::uuid;

-- name: SearchAlongIndexes :exec
-- SearchAlongIndexes keeps a transaction to the indexes. A plan from when there
-- were few events reads all of them, and may be kept when there are many.
SELECT set_config('enable_seqscan', 'off', true);

-- name: SearchNewest :many
-- SearchNewest looks for a folded text in the events of a journal after a number,
-- the newest first, each looked up by its whole key, as in SearchByGrams.
SELECT e.version, e.kind, e.action, e.narration, e.summary
FROM play.event_text AS t
CROSS JOIN LATERAL (
    SELECT e.version, e.kind, e.action, e.narration, e.summary
    FROM play.event AS e
    WHERE e.assignment_id = t.assignment_id AND e.version = t.version
    OFFSET 0
) AS e
WHERE t.assignment_id = @assignment_id::uuid AND t.number > @after::bigint AND strpos(t.folded, @query::text) > 0
ORDER BY t.number DESC
LIMIT @most::integer;

-- name: SearchByGrams :many
-- SearchByGrams looks for a folded text in the events of a journal up to a
-- number, the newest first, among those that have its grams. These are of no
-- other assignment, but by chance. Each is looked up by its whole key: the
-- planner takes a session of which it has not heard for one row, and would read
-- all its texts for each of them.
SELECT e.version, e.kind, e.action, e.narration, e.summary
FROM (
    SELECT t.assignment_id, t.version, t.number
    FROM play.event_text AS t
    WHERE t.grams @> @needles::bigint[]
    ORDER BY t.number DESC
    OFFSET 0
) AS c
CROSS JOIN LATERAL (
    SELECT t.assignment_id, t.version, t.folded
    FROM play.event_text AS t
    WHERE t.assignment_id = c.assignment_id AND t.version = c.version
    OFFSET 0
) AS t
CROSS JOIN LATERAL (
    SELECT e.version, e.kind, e.action, e.narration, e.summary
    FROM play.event AS e
    WHERE e.assignment_id = t.assignment_id AND e.version = t.version
    OFFSET 0
) AS e
WHERE c.assignment_id = @assignment_id::uuid AND c.number <= @until::bigint AND strpos(t.folded, @query::text) > 0
ORDER BY c.number DESC
LIMIT @most::integer;
