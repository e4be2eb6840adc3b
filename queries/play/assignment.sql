-- name: GetSource :one
-- GetSource finds a version of an owner's scenario.
SELECT v.status
FROM play.scenario AS s
JOIN play.scenario_version AS v ON v.scenario_id = s.id
WHERE s.id = @scenario_id::uuid AND s.owner_id = @owner_id::uuid AND v.version = @version::bigint;

-- name: OwnsScenario :one
-- OwnsScenario tells whether a scenario is there and its owner's.
SELECT EXISTS (
    SELECT 1
    FROM play.scenario
    WHERE id = @id::uuid AND owner_id = @owner_id::uuid
);

-- name: ListKinds :many
-- ListKinds lists those of some nodes that a version has, in their order.
SELECT id, kind
FROM play.node
WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint AND id = ANY (@ids::text[])
ORDER BY position, id
LIMIT 100;

-- name: IsScene :one
-- IsScene tells whether a version has a scene of that name.
SELECT EXISTS (
    SELECT 1
    FROM play.node
    WHERE scenario_id = @scenario_id::uuid AND version = @version::bigint AND id = @id::text AND kind = 'scene'
);

-- name: FindPlayer :one
-- FindPlayer finds who is to play.
SELECT id
FROM play.account
WHERE username = @username::text AND active;

-- name: InsertAssignment :execrows
-- InsertAssignment makes an assignment, unless the identifier is taken.
INSERT INTO play.assignment (
    id, gm_id, player_id, scenario_id, source_version, mode, language, "character", brief, instructions, boundaries,
    return_condition, gm_notes, published_node_ids, auto_approve, request, attempt_id, status, version, pending, memory,
    current_scene, summary, created_at, updated_at
) VALUES (
    @id::uuid, @gm_id::uuid, @player_id::uuid, @scenario_id::uuid, @source_version::bigint, @mode::text,
    @language::text, @character::text, @brief::text, @instructions::text, @boundaries::text,
    @return_condition::text, @gm_notes::text, @published_node_ids::text[], @auto_approve::text[], @request::bytea,
    @attempt_id::uuid, 'active', 1, 0, '', @current_scene::text, NULL, @created_at::timestamptz, @created_at::timestamptz
)
ON CONFLICT ON CONSTRAINT assignment_pkey DO NOTHING;

-- name: GetCreation :one
-- GetCreation finds what made an assignment.
SELECT gm_id, request, attempt_id
FROM play.assignment
WHERE id = @id::uuid;

-- name: GetAssignment :one
-- GetAssignment finds an assignment, for whoever is in it.
SELECT a.id, a.gm_id, gm.username AS gm_username, gm.display_name AS gm_display_name,
    a.player_id, player.username AS player_username, player.display_name AS player_display_name,
    a.scenario_id, s.title AS scenario_title, a.source_version, a.mode, a.language, a.status, a."character", a.brief,
    a.instructions, a.boundaries, a.return_condition, a.gm_notes, a.published_node_ids, a.auto_approve,
    a.version, a.memory, a.current_scene, a.summary, a.pending, a.created_at, a.updated_at,
    t.created_at AS token_created_at, t.expires_at AS token_expires_at
FROM play.assignment AS a
JOIN play.account AS gm ON gm.id = a.gm_id
JOIN play.account AS player ON player.id = a.player_id
JOIN play.scenario AS s ON s.id = a.scenario_id
LEFT JOIN play.access_token AS t ON t.assignment_id = a.id AND t.expires_at > @now::timestamptz
WHERE a.id = @id::uuid AND (a.gm_id = @viewer_id::uuid OR a.player_id = @viewer_id::uuid);

-- name: ListAssignmentsOfGM :many
-- ListAssignmentsOfGM lists what a game master gave to players, the newest first.
SELECT a.id, a.gm_id, gm.username AS gm_username, gm.display_name AS gm_display_name,
    a.player_id, player.username AS player_username, player.display_name AS player_display_name,
    a.scenario_id, s.title AS scenario_title, a.source_version, a.mode, a.language, a.status, a.auto_approve,
    left(a."character", @shown::integer)::text AS "character", a.version, a.current_scene, a.pending, a.created_at,
    a.updated_at, t.created_at AS token_created_at, t.expires_at AS token_expires_at
FROM play.assignment AS a
JOIN play.account AS gm ON gm.id = a.gm_id
JOIN play.account AS player ON player.id = a.player_id
JOIN play.scenario AS s ON s.id = a.scenario_id
LEFT JOIN play.access_token AS t ON t.assignment_id = a.id AND t.expires_at > @now::timestamptz
WHERE a.gm_id = @gm_id::uuid
ORDER BY a.created_at DESC, a.id DESC
LIMIT @most::integer;

-- name: ListAssignmentsOfPlayer :many
-- ListAssignmentsOfPlayer lists what a player was given by others, the newest
-- first.
SELECT a.id, a.gm_id, gm.username AS gm_username, gm.display_name AS gm_display_name,
    a.player_id, player.username AS player_username, player.display_name AS player_display_name,
    a.scenario_id, s.title AS scenario_title, a.source_version, a.mode, a.language, a.status, a.auto_approve,
    left(a."character", @shown::integer)::text AS "character", a.version, a.current_scene, a.pending, a.created_at,
    a.updated_at, t.created_at AS token_created_at, t.expires_at AS token_expires_at
FROM play.assignment AS a
JOIN play.account AS gm ON gm.id = a.gm_id
JOIN play.account AS player ON player.id = a.player_id
JOIN play.scenario AS s ON s.id = a.scenario_id
LEFT JOIN play.access_token AS t ON t.assignment_id = a.id AND t.expires_at > @now::timestamptz
WHERE a.player_id = @player_id::uuid AND a.gm_id <> @player_id::uuid
ORDER BY a.created_at DESC, a.id DESC
LIMIT @most::integer;

-- name: GetRoles :one
-- GetRoles finds who is in an assignment.
SELECT gm_id, player_id
FROM play.assignment
WHERE id = @id::uuid;

-- name: LockAssignment :one
-- LockAssignment serialises all writers of an assignment, each of whom is in it.
-- It leaves room for what refers to the row, such as a token.
SELECT gm_id, player_id, scenario_id, source_version, published_node_ids, auto_approve, status, version, pending,
    current_scene
FROM play.assignment
WHERE id = @id::uuid AND (gm_id = @member_id::uuid OR player_id = @member_id::uuid)
FOR NO KEY UPDATE;

-- name: RaiseToTurn :execrows
-- RaiseToTurn writes what a turn changes of its locked assignment.
UPDATE play.assignment
SET version = version + 1, memory = @memory::text, current_scene = @current_scene::text,
    pending = pending + @proposed::bigint, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid AND version = @expected::bigint AND status = 'active';

-- name: RaiseToFinish :execrows
-- RaiseToFinish completes a locked assignment.
UPDATE play.assignment
SET version = version + 1, status = 'completed', summary = @summary::text, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid AND version = @expected::bigint AND status = 'active';

-- name: RaiseToReview :execrows
-- RaiseToReview counts what a review decided of its locked assignment.
UPDATE play.assignment
SET version = version + 1, pending = pending - @decided::bigint, updated_at = @updated_at::timestamptz
WHERE id = @id::uuid AND version = @expected::bigint;
