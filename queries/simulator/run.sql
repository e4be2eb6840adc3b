-- name: PutRun :exec
-- PutRun writes what a log says in the place of what was known of its run.
INSERT INTO simulator.run (
    id, scenario_id, seed, map_id, map_sha256, constants_sha256, mechanics_version, log_version,
    end_reason, end_tick, casualties, buildings_lost
) VALUES (
    @id::text, @scenario_id::text, @seed::bigint, @map_id::text, @map_sha256::text, @constants_sha256::text,
    @mechanics_version::bigint, @log_version::bigint,
    sqlc.narg(end_reason)::text, sqlc.narg(end_tick)::bigint, sqlc.narg(casualties)::bigint, sqlc.narg(buildings_lost)::bigint
)
ON CONFLICT ON CONSTRAINT run_pkey DO UPDATE
SET scenario_id = EXCLUDED.scenario_id, seed = EXCLUDED.seed, map_id = EXCLUDED.map_id, map_sha256 = EXCLUDED.map_sha256,
    constants_sha256 = EXCLUDED.constants_sha256, mechanics_version = EXCLUDED.mechanics_version, log_version = EXCLUDED.log_version,
    end_reason = EXCLUDED.end_reason, end_tick = EXCLUDED.end_tick, casualties = EXCLUDED.casualties,
    buildings_lost = EXCLUDED.buildings_lost;

-- name: ForgetRuns :exec
-- ForgetRuns empties the index, to be made again.
TRUNCATE simulator.run;
