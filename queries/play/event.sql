-- name: InsertEvent :exec
-- InsertEvent tells what raised an assignment to a version.
INSERT INTO play.event (assignment_id, version, kind, action, narration, summary, scene, created_at)
VALUES (
    @assignment_id::uuid, @version::bigint, @kind::text, @action::text, @narration::text, @summary::text, @scene::text,
    @created_at::timestamptz
);
