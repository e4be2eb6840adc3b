-- +goose Up

-- A scenario is what an author writes, in numbered versions. The request is a
-- digest of what its creation asked for, which tells a repetition from another.
CREATE TABLE play.scenario (
    id         uuid        NOT NULL,
    owner_id   uuid        NOT NULL,
    title      text        NOT NULL,
    summary    text        NOT NULL,
    language   text        NOT NULL,
    latest     bigint      NOT NULL, -- the newest version
    request    bytea       NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT scenario_pkey PRIMARY KEY (id),
    CONSTRAINT scenario_owner_fkey FOREIGN KEY (owner_id) REFERENCES play.account (id),
    CONSTRAINT scenario_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
    CONSTRAINT scenario_summary_length CHECK (char_length(summary) <= 2000),
    CONSTRAINT scenario_language_known CHECK (language IN ('en', 'pl')),
    CONSTRAINT scenario_latest_range CHECK (latest BETWEEN 1 AND 200),
    CONSTRAINT scenario_request_digest CHECK (octet_length(request) = 32)
);

-- An owner's list.
CREATE INDEX scenario_by_owner ON play.scenario (owner_id, created_at, id);

-- A version is a draft until it is published. Its revision rises with every
-- change of one of its nodes.
CREATE TABLE play.scenario_version (
    scenario_id  uuid        NOT NULL,
    version      bigint      NOT NULL,
    status       text        NOT NULL,
    revision     bigint      NOT NULL,
    created_at   timestamptz NOT NULL,
    published_at timestamptz,
    CONSTRAINT scenario_version_pkey PRIMARY KEY (scenario_id, version),
    CONSTRAINT scenario_version_scenario_fkey FOREIGN KEY (scenario_id) REFERENCES play.scenario (id),
    CONSTRAINT scenario_version_number_range CHECK (version BETWEEN 1 AND 200),
    CONSTRAINT scenario_version_status_known CHECK (status IN ('draft', 'published')),
    CONSTRAINT scenario_version_published_at CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CONSTRAINT scenario_version_revision_positive CHECK (revision >= 1)
);

-- A node is a part of a version. What its body says may be shown to a player
-- where an assignment publishes the node; its gm_notes never are.
CREATE TABLE play.node (
    scenario_id uuid             NOT NULL,
    version     bigint           NOT NULL,
    id          text COLLATE "C" NOT NULL,
    kind        text             NOT NULL,
    position    integer          NOT NULL,
    title       text             NOT NULL,
    body        text             NOT NULL,
    gm_notes    text             NOT NULL,
    revision    bigint           NOT NULL,
    created_at  timestamptz      NOT NULL,
    updated_at  timestamptz      NOT NULL,
    CONSTRAINT node_pkey PRIMARY KEY (scenario_id, version, id),
    CONSTRAINT node_version_fkey FOREIGN KEY (scenario_id, version) REFERENCES play.scenario_version (scenario_id, version),
    CONSTRAINT node_id_slug CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
    CONSTRAINT node_kind_known CHECK (kind IN ('scene', 'npc', 'place', 'clue')),
    CONSTRAINT node_position_range CHECK (position BETWEEN 0 AND 1000000),
    CONSTRAINT node_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
    CONSTRAINT node_body_length CHECK (char_length(body) <= 8000),
    CONSTRAINT node_gm_notes_length CHECK (char_length(gm_notes) <= 8000),
    CONSTRAINT node_revision_positive CHECK (revision >= 1)
);

-- The nodes of a version in their order, all of them and those of one kind.
CREATE INDEX node_by_position ON play.node (scenario_id, version, position, id);
CREATE INDEX node_by_kind ON play.node (scenario_id, version, kind, position, id);

-- A version that is published never changes, whoever writes.
-- +goose StatementBegin
CREATE FUNCTION play.keep_published_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status = 'published' THEN
        RAISE EXCEPTION 'version % of scenario % is published', OLD.version, OLD.scenario_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'published_version_unchanged';
    END IF;
    RETURN COALESCE(NEW, OLD);
END
$$;
-- +goose StatementEnd

CREATE TRIGGER published_version_unchanged BEFORE UPDATE OR DELETE ON play.scenario_version
    FOR EACH ROW EXECUTE FUNCTION play.keep_published_version();

-- Nor do its nodes. Sharing the version's row makes a change of a node and the
-- publication of its version come one after the other.
-- +goose StatementBegin
CREATE FUNCTION play.keep_published_node() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    found_status text;
BEGIN
    FOR found_status IN
        SELECT v.status
        FROM play.scenario_version AS v
        WHERE (v.scenario_id = OLD.scenario_id AND v.version = OLD.version)
           OR (v.scenario_id = NEW.scenario_id AND v.version = NEW.version)
        FOR SHARE
    LOOP
        IF found_status = 'published' THEN
            RAISE EXCEPTION 'the version of node % is published', COALESCE(NEW.id, OLD.id)
                USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'published_node_unchanged';
        END IF;
    END LOOP;
    RETURN COALESCE(NEW, OLD);
END
$$;
-- +goose StatementEnd

CREATE TRIGGER published_node_unchanged BEFORE INSERT OR UPDATE OR DELETE ON play.node
    FOR EACH ROW EXECUTE FUNCTION play.keep_published_node();
