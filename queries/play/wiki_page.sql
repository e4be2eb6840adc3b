-- name: CountWikiPages :one
-- CountWikiPages counts an owner's pages, which are bounded.
SELECT count(*)
FROM play.wiki_page
WHERE owner_id = @owner_id::uuid;

-- name: InsertWikiPage :exec
-- InsertWikiPage adds a page to those of a locked author.
INSERT INTO play.wiki_page (owner_id, id, title, body, revision, folded, grams, created_at, updated_at)
VALUES (
    @owner_id::uuid, @id::text, @title::text, @body::text, 1, @folded::text, @grams::bigint[],
    @created_at::timestamptz, @created_at::timestamptz
);

-- name: GetWikiPage :one
-- GetWikiPage gives a page.
SELECT id, title, body, revision, created_at, updated_at
FROM play.wiki_page
WHERE owner_id = @owner_id::uuid AND id = @id::text;

-- name: LockWikiPage :one
-- LockWikiPage serialises the changes of a page.
SELECT id, title, body, revision, created_at, updated_at
FROM play.wiki_page
WHERE owner_id = @owner_id::uuid AND id = @id::text
FOR UPDATE;

-- name: UpdateWikiPage :exec
-- UpdateWikiPage writes a locked page under its next revision.
UPDATE play.wiki_page
SET title = @title::text, body = @body::text, folded = @folded::text, grams = @grams::bigint[],
    revision = revision + 1, updated_at = @updated_at::timestamptz
WHERE owner_id = @owner_id::uuid AND id = @id::text;

-- name: DeleteWikiPage :exec
-- DeleteWikiPage deletes a locked page.
DELETE FROM play.wiki_page
WHERE owner_id = @owner_id::uuid AND id = @id::text;

-- name: ListWikiPages :many
-- ListWikiPages gives a part of an owner's pages, without their bodies.
SELECT id, title, revision, created_at, updated_at
FROM play.wiki_page
WHERE owner_id = @owner_id::uuid
ORDER BY id
OFFSET @start::integer
LIMIT @most::integer;

-- name: PreferWikiIndexes :exec
-- PreferWikiIndexes makes the transaction use indexes: the planner counts a page
-- as one row, and does not see that comparing its grams means reading thousands.
SELECT set_config('enable_seqscan', 'off', true);

-- name: SearchWikiPages :many
-- SearchWikiPages gives an owner's pages that contain a folded text, by the
-- grams that a page with it must have. Only by chance has a page of another
-- owner the same; no owner has more than 2000. Pages are read in their order
-- until there are enough, each by its whole key: the planner takes a wiki of
-- which it has not heard for one page, and would read all of it for each.
SELECT p.id, p.title, p.body
FROM (
    SELECT g.owner_id, g.id
    FROM (
        SELECT w.owner_id, w.id
        FROM play.wiki_page AS w
        WHERE w.grams @> @needles::bigint[]
        LIMIT 4000
    ) AS g
    ORDER BY g.id
    OFFSET 0
) AS c
CROSS JOIN LATERAL (
    SELECT p.id, p.title, p.body, p.folded
    FROM play.wiki_page AS p
    WHERE p.owner_id = c.owner_id AND p.id = c.id
    OFFSET 0
) AS p
WHERE c.owner_id = @owner_id::uuid AND strpos(p.folded, @query::text) > 0
ORDER BY c.id
LIMIT @most::integer;
