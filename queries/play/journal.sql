-- name: GetSession :one
-- GetSession gives what a player may know of an assignment, and the number of
-- its last event in the journal.
SELECT a.id, a.status, a.mode, a.language, s.title AS scenario_title, a.source_version, g.display_name AS gm, p.display_name AS player,
    a."character", a.brief, a.instructions, a.boundaries, a.return_condition, a.auto_approve, a.version, a.memory, a.current_scene,
    a.summary, a.created_at, a.updated_at, (
        SELECT COALESCE(max(t.number), 0)
        FROM play.event_text AS t
        WHERE t.assignment_id = a.id
    )::bigint AS total
FROM play.assignment AS a
JOIN play.scenario AS s ON s.id = a.scenario_id
JOIN play.account AS g ON g.id = a.gm_id
JOIN play.account AS p ON p.id = a.player_id
WHERE a.id = @id::uuid;

-- name: GetSessionEnd :one
-- GetSessionEnd gives the version of an assignment, its memory and the number of
-- its last event in the journal.
SELECT a.version, a.memory, (
    SELECT COALESCE(max(t.number), 0)
    FROM play.event_text AS t
    WHERE t.assignment_id = a.id
)::bigint AS total
FROM play.assignment AS a
WHERE a.id = @id::uuid;

-- name: GetReportSource :one
-- GetReportSource gives what only a report tells of an assignment: the notes of
-- its game master, for him, and how many consequences wait.
SELECT gm_notes, pending
FROM play.assignment
WHERE id = @id::uuid;

-- name: ListMaterials :many
-- ListMaterials gives the nodes that an assignment publishes, in their order,
-- with nothing that is the game master's.
SELECT n.id, n.kind, n.title, n.body
FROM play.assignment AS a
JOIN play.node AS n ON n.scenario_id = a.scenario_id AND n.version = a.source_version AND n.id = ANY (a.published_node_ids)
WHERE a.id = @id::uuid
ORDER BY n.position, n.id
LIMIT 100;

-- name: ListMaterialTitles :many
-- ListMaterialTitles is ListMaterials without what the nodes say.
SELECT n.id, n.title
FROM play.assignment AS a
JOIN play.node AS n ON n.scenario_id = a.scenario_id AND n.version = a.source_version AND n.id = ANY (a.published_node_ids)
WHERE a.id = @id::uuid
ORDER BY n.position, n.id
LIMIT 100;

-- name: ListJournal :many
-- ListJournal gives the events of a journal from one number to another, the
-- oldest first, each looked up by its whole key, as in SearchByGrams.
SELECT e.version, e.kind, e.action, e.narration, e.summary, e.scene, e.created_at
FROM play.event_text AS t
CROSS JOIN LATERAL (
    SELECT e.version, e.kind, e.action, e.narration, e.summary, e.scene, e.created_at
    FROM play.event AS e
    WHERE e.assignment_id = t.assignment_id AND e.version = t.version
    OFFSET 0
) AS e
WHERE t.assignment_id = @assignment_id::uuid AND t.number > @after::bigint AND t.number <= @until::bigint
ORDER BY t.number
LIMIT @most::integer;

-- name: ListNewestConsequences :many
-- ListNewestConsequences gives the consequences of the last turns as they are
-- now, those of the newest turn first and in each turn in their order.
SELECT id, version, position, category, description, status, note, decided_at, created_at
FROM play.consequence
WHERE assignment_id = @assignment_id::uuid
ORDER BY version DESC, position
LIMIT @most::integer;

-- name: ListConsequencesOfTurns :many
-- ListConsequencesOfTurns gives the consequences of the turns from one version to
-- another, the newest turn first and in each turn in their order.
SELECT version, category, description, status, note, decided_version, decided_at
FROM play.consequence
WHERE assignment_id = @assignment_id::uuid AND version >= @since::bigint AND version <= @until::bigint
ORDER BY version DESC, position
LIMIT @most::integer;
