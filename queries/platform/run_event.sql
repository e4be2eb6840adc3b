-- name: AppendRunEvent :exec
-- AppendRunEvent records what happened to a run under the next number of a
-- party's feed, whose row it locks, and tells those who listen.
WITH feed AS (
    INSERT INTO platform.run_feed AS f (party_id, sequence)
    VALUES (@party_id::uuid, 1)
    ON CONFLICT (party_id) DO UPDATE SET sequence = f.sequence + 1
    RETURNING party_id, sequence
), event AS (
    INSERT INTO platform.run_event (party_id, sequence, run_id, attempt, kind, state, step, name, message, at)
    SELECT party_id, sequence, @run_id::uuid, @attempt::bigint, @kind::text, @state::text, sqlc.narg('step')::bigint, @name::text, @message::text,
        @at::timestamptz
    FROM feed
    RETURNING party_id
)
SELECT pg_notify('platform_run_event', party_id::text)
FROM event;

-- name: NotifyRunQueued :exec
-- NotifyRunQueued tells executors that there is a run to take up.
SELECT pg_notify('platform_run_queued', '');

-- name: NotifyRunCancelled :exec
-- NotifyRunCancelled tells executors that a run is to be cancelled.
SELECT pg_notify('platform_run_cancelled', (@id::uuid)::text);

-- name: ListRunEvents :many
-- ListRunEvents gives a page of what happened to a run, the oldest first.
SELECT sequence, run_id, attempt, kind, state, step, name, message, at
FROM platform.run_event
WHERE run_id = @run_id::uuid AND sequence > @after::bigint
ORDER BY sequence
LIMIT @page_size::integer;

-- name: ListFeed :many
-- ListFeed gives a page of a party's feed, the oldest first. What belongs to a
-- project that the party has left since is left out.
SELECT e.sequence, e.run_id, e.attempt, e.kind, e.state, e.step, e.name, e.message, e.at
FROM platform.run_event AS e
JOIN platform.run AS r ON r.id = e.run_id
JOIN platform.member AS m ON m.project_id = r.project_id AND m.party_id = e.party_id
WHERE e.party_id = @party_id::uuid AND e.sequence > @after::bigint
ORDER BY e.sequence
LIMIT @page_size::integer;

-- name: GetFeedEnd :one
-- GetFeedEnd gives the last number of a party's feed.
SELECT COALESCE(max(sequence), 0)::bigint
FROM platform.run_feed
WHERE party_id = @party_id::uuid;
