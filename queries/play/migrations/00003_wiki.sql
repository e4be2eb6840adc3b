-- +goose Up

-- A page of an author's private campaign wiki. It is found by folded, its title
-- and body without case and diacritics, and grams, the hashed pieces of that
-- mixed with the owner, so that only an owner's own pages share any.
CREATE TABLE play.wiki_page (
    owner_id   uuid             NOT NULL,
    id         text COLLATE "C" NOT NULL,
    title      text             NOT NULL,
    body       text             NOT NULL,
    revision   bigint           NOT NULL,
    folded     text             NOT NULL,
    grams      bigint[]         NOT NULL,
    created_at timestamptz      NOT NULL,
    updated_at timestamptz      NOT NULL,
    CONSTRAINT wiki_page_pkey PRIMARY KEY (owner_id, id),
    CONSTRAINT wiki_page_owner_fkey FOREIGN KEY (owner_id) REFERENCES play.account (id),
    CONSTRAINT wiki_page_id_slug CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
    CONSTRAINT wiki_page_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
    CONSTRAINT wiki_page_body_length CHECK (char_length(body) <= 16000),
    CONSTRAINT wiki_page_revision_positive CHECK (revision >= 1)
);

-- Which pages may contain a text. Every search reads the entries that are still
-- to go into the index, so there are few.
CREATE INDEX wiki_page_by_gram ON play.wiki_page USING gin (grams) WITH (gin_pending_list_limit = 256);
