-- +goose Up
CREATE SCHEMA world;

-- A world, by the identity that its folder holds. Its row serialises all that
-- is written about its operations; last_number is the newest operation's.
CREATE TABLE world.world (
    id          uuid        NOT NULL,
    last_number bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT world_pkey PRIMARY KEY (id),
    CONSTRAINT world_last_number_range CHECK (last_number >= 0)
);

-- A project in which nothing is written for now.
CREATE TABLE world.pause (
    world_id uuid        NOT NULL,
    project  text        COLLATE "C" NOT NULL,
    since    timestamptz NOT NULL,
    CONSTRAINT pause_pkey PRIMARY KEY (world_id, project),
    CONSTRAINT pause_world_fkey FOREIGN KEY (world_id) REFERENCES world.world (id)
);

-- What may be built. changes, dependencies and the slices below are in a compact
-- form of the service's own; recipe is JSON text as it was sent.
CREATE TABLE world.plan (
    id           uuid        NOT NULL,
    world_id     uuid        NOT NULL,
    project      text        COLLATE "C" NOT NULL,
    player_id    uuid        NOT NULL,
    kind         text        COLLATE "C" NOT NULL,
    hash         text        COLLATE "C" NOT NULL,
    total        integer     NOT NULL,
    changes      bytea       NOT NULL,
    dependencies bytea       NOT NULL,
    recipe       bytea       NOT NULL,
    min_x        integer     NOT NULL,
    min_y        integer     NOT NULL,
    min_z        integer     NOT NULL,
    max_x        integer     NOT NULL,
    max_y        integer     NOT NULL,
    max_z        integer     NOT NULL,
    part_id      uuid,
    undoes_id    uuid,
    skipped      integer     NOT NULL,
    chain_id     uuid,
    chain_index  integer     NOT NULL,
    used         boolean     NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    discarded_at timestamptz,
    CONSTRAINT plan_pkey PRIMARY KEY (id),
    CONSTRAINT plan_world_fkey FOREIGN KEY (world_id) REFERENCES world.world (id),
    CONSTRAINT plan_chain_key UNIQUE (chain_id, chain_index),
    CONSTRAINT plan_project_form CHECK (project ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'),
    CONSTRAINT plan_kind_known CHECK (kind IN ('build', 'undo', 'schematic')),
    CONSTRAINT plan_hash_form CHECK (hash ~ '^[0-9a-f]{64}$'),
    CONSTRAINT plan_total_range CHECK (total BETWEEN 0 AND 4096),
    CONSTRAINT plan_blocks_length CHECK (octet_length(changes) <= 8388608 AND octet_length(dependencies) <= 1048576),
    CONSTRAINT plan_recipe_length CHECK (octet_length(recipe) <= 1048576),
    CONSTRAINT plan_region_order CHECK (min_x <= max_x AND min_y <= max_y AND min_z <= max_z),
    CONSTRAINT plan_undo CHECK ((kind = 'undo') = (undoes_id IS NOT NULL)),
    CONSTRAINT plan_skipped_range CHECK (skipped >= 0),
    CONSTRAINT plan_chain_range CHECK (chain_index BETWEEN 0 AND 15 AND (chain_id IS NOT NULL OR chain_index = 0)),
    CONSTRAINT plan_used_or_discarded CHECK (NOT used OR discarded_at IS NULL),
    CONSTRAINT plan_times CHECK (created_at < expires_at)
);

CREATE INDEX plan_unused ON world.plan (expires_at, id) WHERE NOT used;

-- One application of a plan. wrote and left_alone are the changes of the plan
-- that confirmed slices wrote and did not write; kind, undoes_id, min and max are
-- the plan's. number orders the operations of a world. digest is what the world's blocks
-- were when it was abandoned.
CREATE TABLE world.operation (
    id               uuid        NOT NULL,
    world_id         uuid        NOT NULL,
    number           bigint      NOT NULL,
    plan_id          uuid        NOT NULL,
    project          text        COLLATE "C" NOT NULL,
    player_id        uuid        NOT NULL,
    key              text        COLLATE "C" NOT NULL,
    kind             text        COLLATE "C" NOT NULL,
    undoes_id        uuid,
    min_x            integer     NOT NULL,
    min_y            integer     NOT NULL,
    min_z            integer     NOT NULL,
    max_x            integer     NOT NULL,
    max_y            integer     NOT NULL,
    max_z            integer     NOT NULL,
    status           text        COLLATE "C" NOT NULL,
    total            integer     NOT NULL,
    written          integer     NOT NULL,
    conflicts        integer     NOT NULL,
    wrote            bytea       NOT NULL,
    left_alone       bytea       NOT NULL,
    sample           jsonb       NOT NULL,
    paused           boolean     NOT NULL,
    cancel_requested boolean     NOT NULL,
    undo_off         boolean     NOT NULL,
    reason           text        NOT NULL,
    digest           text        COLLATE "C",
    created_at       timestamptz NOT NULL,
    ended_at         timestamptz,
    CONSTRAINT operation_pkey PRIMARY KEY (id),
    CONSTRAINT operation_plan_key UNIQUE (plan_id),
    CONSTRAINT operation_key_key UNIQUE (world_id, project, key),
    CONSTRAINT operation_number_key UNIQUE (world_id, number),
    CONSTRAINT operation_world_fkey FOREIGN KEY (world_id) REFERENCES world.world (id),
    CONSTRAINT operation_plan_fkey FOREIGN KEY (plan_id) REFERENCES world.plan (id),
    CONSTRAINT operation_undone_fkey FOREIGN KEY (undoes_id) REFERENCES world.operation (id),
    CONSTRAINT operation_key_form CHECK (key ~ '^[!-~]{1,128}$'),
    CONSTRAINT operation_status_known CHECK (
        status IN ('queued', 'applying', 'applied', 'conflict', 'cancelled', 'failed', 'recovery_required')
    ),
    CONSTRAINT operation_counts CHECK (written >= 0 AND conflicts >= 0 AND written + conflicts <= total),
    CONSTRAINT operation_applied CHECK (status <> 'applied' OR written = total),
    CONSTRAINT operation_conflict CHECK (status <> 'conflict' OR conflicts > 0 AND written + conflicts = total),
    CONSTRAINT operation_ended CHECK (
        (ended_at IS NOT NULL) = (status IN ('applied', 'conflict', 'cancelled', 'failed'))
    ),
    CONSTRAINT operation_abandoned CHECK (undo_off = (digest IS NOT NULL) AND (NOT undo_off OR status = 'failed')),
    CONSTRAINT operation_digest_form CHECK (digest ~ '^[0-9a-f]{64}$'),
    CONSTRAINT operation_reason_length CHECK (octet_length(reason) <= 1000),
    CONSTRAINT operation_masks_length CHECK (octet_length(wrote) <= 16384 AND octet_length(left_alone) <= 16384),
    CONSTRAINT operation_times CHECK (ended_at >= created_at)
);

-- One operation of a world at most has not ended.
CREATE UNIQUE INDEX operation_unfinished ON world.operation (world_id)
WHERE status IN ('queued', 'applying', 'recovery_required');

CREATE INDEX operation_of_project ON world.operation (world_id, project, number);
CREATE INDEX operation_that_undoes ON world.operation (undoes_id, number) WHERE undoes_id IS NOT NULL;

-- A part of an operation that is written at once: what it may write and, once it
-- is confirmed, what it wrote and what it left alone.
CREATE TABLE world.slice (
    operation_id uuid        NOT NULL,
    number       integer     NOT NULL,
    intent       bytea       NOT NULL,
    wrote        bytea,
    left_alone   bytea,
    created_at   timestamptz NOT NULL,
    confirmed_at timestamptz,
    CONSTRAINT slice_pkey PRIMARY KEY (operation_id, number),
    CONSTRAINT slice_operation_fkey FOREIGN KEY (operation_id) REFERENCES world.operation (id),
    CONSTRAINT slice_number_range CHECK (number BETWEEN 0 AND 8191),
    CONSTRAINT slice_masks_length CHECK (
        octet_length(intent) <= 16384 AND octet_length(wrote) <= 16384 AND octet_length(left_alone) <= 16384
    ),
    CONSTRAINT slice_confirmed CHECK (
        (confirmed_at IS NULL) = (wrote IS NULL) AND (confirmed_at IS NULL) = (left_alone IS NULL)
    )
);

-- One slice of an operation at most is open.
CREATE UNIQUE INDEX slice_open ON world.slice (operation_id) WHERE confirmed_at IS NULL;

-- A named mask: the blocks that an operation wrote.
CREATE TABLE world.part (
    id           uuid        NOT NULL,
    world_id     uuid        NOT NULL,
    project      text        COLLATE "C" NOT NULL,
    player_id    uuid        NOT NULL,
    name         text        NOT NULL,
    operation_id uuid        NOT NULL,
    total        integer     NOT NULL,
    positions    bytea       NOT NULL,
    min_x        integer     NOT NULL,
    min_y        integer     NOT NULL,
    min_z        integer     NOT NULL,
    max_x        integer     NOT NULL,
    max_y        integer     NOT NULL,
    max_z        integer     NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT part_pkey PRIMARY KEY (id),
    CONSTRAINT part_of_operation_key UNIQUE (operation_id, name),
    CONSTRAINT part_world_fkey FOREIGN KEY (world_id) REFERENCES world.world (id),
    CONSTRAINT part_operation_fkey FOREIGN KEY (operation_id) REFERENCES world.operation (id),
    CONSTRAINT part_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT part_total_range CHECK (total BETWEEN 1 AND 4096),
    CONSTRAINT part_positions_length CHECK (octet_length(positions) <= 131072)
);

CREATE INDEX part_of_project ON world.part (world_id, project, created_at, id);

ALTER TABLE world.plan
    ADD CONSTRAINT plan_part_fkey FOREIGN KEY (part_id) REFERENCES world.part (id),
    ADD CONSTRAINT plan_undone_fkey FOREIGN KEY (undoes_id) REFERENCES world.operation (id);

-- +goose StatementBegin
CREATE FUNCTION world.keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is written in %.% stays as it is', TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'check_violation';
END
$$;
-- +goose StatementEnd

-- A plan may be discarded or used, once, and may come to live longer.
CREATE TRIGGER plan_keeps BEFORE UPDATE OF
    id, world_id, project, player_id, kind, hash, total, changes, dependencies, recipe, min_x, min_y, min_z, max_x, max_y, max_z,
    part_id, undoes_id, skipped, chain_id, chain_index, created_at
ON world.plan FOR EACH ROW EXECUTE FUNCTION world.keep();

CREATE TRIGGER plan_only_forward BEFORE UPDATE ON world.plan FOR EACH ROW
WHEN (OLD.used AND NOT NEW.used OR OLD.discarded_at IS NOT NULL AND NEW.discarded_at IS DISTINCT FROM OLD.discarded_at
    OR NEW.expires_at < OLD.expires_at)
EXECUTE FUNCTION world.keep();

CREATE TRIGGER operation_keeps BEFORE UPDATE OF
    id, world_id, number, plan_id, project, player_id, key, kind, undoes_id, min_x, min_y, min_z, max_x, max_y, max_z, total, created_at
ON world.operation FOR EACH ROW EXECUTE FUNCTION world.keep();

CREATE TRIGGER operation_only_forward BEFORE UPDATE ON world.operation FOR EACH ROW
WHEN (OLD.ended_at IS NOT NULL
    OR OLD.status = 'recovery_required' AND NEW.status NOT IN ('recovery_required', 'failed')
    OR OLD.status = 'recovery_required' AND NEW.status = 'failed' AND NOT NEW.undo_off
    OR OLD.status <> 'recovery_required' AND NEW.undo_off
    OR OLD.status <> 'queued' AND NEW.status = 'queued'
    OR OLD.cancel_requested AND NOT NEW.cancel_requested
    OR NEW.written < OLD.written OR NEW.conflicts < OLD.conflicts)
EXECUTE FUNCTION world.keep();

CREATE TRIGGER operation_stays BEFORE DELETE ON world.operation FOR EACH ROW EXECUTE FUNCTION world.keep();

CREATE TRIGGER slice_keeps BEFORE DELETE OR UPDATE OF operation_id, number, intent, created_at
ON world.slice FOR EACH ROW EXECUTE FUNCTION world.keep();

CREATE TRIGGER slice_only_forward BEFORE UPDATE ON world.slice FOR EACH ROW
WHEN (OLD.confirmed_at IS NOT NULL)
EXECUTE FUNCTION world.keep();

CREATE TRIGGER part_keeps BEFORE DELETE OR UPDATE ON world.part FOR EACH ROW EXECUTE FUNCTION world.keep();

-- A slice follows the one before it, and is made and confirmed only while its
-- operation is being applied.
-- +goose StatementBegin
CREATE FUNCTION world.follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' AND (NEW.confirmed_at IS NOT NULL OR NEW.number <> (
            SELECT COALESCE(max(s.number) + 1, 0) FROM world.slice AS s WHERE s.operation_id = NEW.operation_id
        ))
        OR NOT EXISTS (SELECT 1 FROM world.operation AS o WHERE o.id = NEW.operation_id AND o.status = 'applying')
    THEN
        RAISE EXCEPTION 'slice % does not follow', NEW.number USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER slice_follows BEFORE INSERT OR UPDATE ON world.slice FOR EACH ROW EXECUTE FUNCTION world.follow();

-- An operation ends with no slice open, unless it is abandoned.
-- +goose StatementBegin
CREATE FUNCTION world.close() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM world.slice AS s WHERE s.operation_id = NEW.id AND s.confirmed_at IS NULL) THEN
        RAISE EXCEPTION 'a slice of the operation is open' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER operation_closes BEFORE UPDATE ON world.operation FOR EACH ROW
WHEN (NEW.ended_at IS NOT NULL AND NOT NEW.undo_off)
EXECUTE FUNCTION world.close();
