-- +goose Up

-- An assignment is a part of a published version of a scenario that its game
-- master gave to one player. version rises with every turn, the finish and every
-- review; pending counts its consequences that nobody has decided. request is
-- the digest of what made it, attempt_id the run that wrote it.
CREATE TABLE play.assignment (
    id                 uuid        NOT NULL,
    gm_id              uuid        NOT NULL,
    player_id          uuid        NOT NULL,
    scenario_id        uuid        NOT NULL,
    source_version     bigint      NOT NULL,
    mode               text        COLLATE "C" NOT NULL,
    language           text        COLLATE "C" NOT NULL,
    "character"        text        NOT NULL,
    brief              text        NOT NULL,
    instructions       text        NOT NULL,
    boundaries         text        NOT NULL,
    return_condition   text        NOT NULL,
    gm_notes           text        NOT NULL,
    published_node_ids text[]      COLLATE "C" NOT NULL,
    auto_approve       text[]      COLLATE "C" NOT NULL,
    request            bytea       NOT NULL,
    attempt_id         uuid        NOT NULL,
    status             text        COLLATE "C" NOT NULL,
    version            bigint      NOT NULL,
    pending            bigint      NOT NULL,
    memory             text        NOT NULL,
    current_scene      text        COLLATE "C" NOT NULL,
    summary            text,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT assignment_pkey PRIMARY KEY (id),
    CONSTRAINT assignment_gm_fkey FOREIGN KEY (gm_id) REFERENCES play.account (id),
    CONSTRAINT assignment_player_fkey FOREIGN KEY (player_id) REFERENCES play.account (id),
    CONSTRAINT assignment_source_fkey FOREIGN KEY (scenario_id, source_version)
        REFERENCES play.scenario_version (scenario_id, version),
    CONSTRAINT assignment_mode_known CHECK (mode IN ('absence', 'downtime', 'solo')),
    CONSTRAINT assignment_language_known CHECK (language IN ('en', 'pl')),
    CONSTRAINT assignment_character_length CHECK (char_length("character") BETWEEN 1 AND 8000),
    CONSTRAINT assignment_brief_length CHECK (char_length(brief) BETWEEN 1 AND 8000),
    CONSTRAINT assignment_instructions_length CHECK (char_length(instructions) <= 8000),
    CONSTRAINT assignment_boundaries_length CHECK (char_length(boundaries) BETWEEN 1 AND 8000),
    CONSTRAINT assignment_return_condition_length CHECK (char_length(return_condition) BETWEEN 1 AND 8000),
    CONSTRAINT assignment_gm_notes_length CHECK (char_length(gm_notes) <= 8000),
    CONSTRAINT assignment_published_count CHECK (cardinality(published_node_ids) BETWEEN 1 AND 100),
    CONSTRAINT assignment_auto_approve_known
        CHECK (auto_approve <@ ARRAY['resource', 'relationship', 'discovery', 'narrative'] COLLATE "C"),
    CONSTRAINT assignment_request_digest CHECK (octet_length(request) = 32),
    CONSTRAINT assignment_status_known CHECK (status IN ('active', 'completed')),
    CONSTRAINT assignment_version_positive CHECK (version > 0),
    CONSTRAINT assignment_pending_natural CHECK (pending >= 0),
    CONSTRAINT assignment_memory_length CHECK (char_length(memory) <= 16000),
    CONSTRAINT assignment_scene_published CHECK (current_scene = ANY (published_node_ids)),
    CONSTRAINT assignment_summary_length CHECK (char_length(summary) BETWEEN 1 AND 4000),
    CONSTRAINT assignment_summary_when_completed CHECK ((summary IS NOT NULL) = (status = 'completed'))
);

-- The lists of a game master and of a player, the newest first.
CREATE INDEX assignment_by_gm ON play.assignment (gm_id, created_at DESC, id DESC);
CREATE INDEX assignment_by_player ON play.assignment (player_id, created_at DESC, id DESC);

-- The play token of an assignment, one at most. digest is its SHA-256.
CREATE TABLE play.access_token (
    assignment_id uuid        NOT NULL,
    digest        bytea       NOT NULL,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    CONSTRAINT access_token_pkey PRIMARY KEY (assignment_id),
    CONSTRAINT access_token_digest_key UNIQUE (digest),
    CONSTRAINT access_token_assignment_fkey FOREIGN KEY (assignment_id) REFERENCES play.assignment (id),
    CONSTRAINT access_token_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT access_token_times CHECK (created_at < expires_at)
);

-- An event is what raised an assignment to a version. A review tells nothing
-- here: what was decided is with the consequences.
CREATE TABLE play.event (
    assignment_id uuid        NOT NULL,
    version       bigint      NOT NULL,
    kind          text        COLLATE "C" NOT NULL,
    action        text        NOT NULL,
    narration     text        NOT NULL,
    summary       text        NOT NULL,
    scene         text        COLLATE "C" NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT event_pkey PRIMARY KEY (assignment_id, version),
    CONSTRAINT event_assignment_fkey FOREIGN KEY (assignment_id) REFERENCES play.assignment (id),
    CONSTRAINT event_version_after_creation CHECK (version > 1),
    CONSTRAINT event_kind_known CHECK (kind IN ('turn', 'finish', 'review')),
    CONSTRAINT event_action_length CHECK (char_length(action) <= 4000),
    CONSTRAINT event_narration_length CHECK (char_length(narration) <= 6000),
    CONSTRAINT event_summary_length CHECK (char_length(summary) <= 4000),
    CONSTRAINT event_scene_length CHECK (char_length(scene) <= 64),
    CONSTRAINT event_texts_of_kind CHECK (CASE kind
        WHEN 'turn' THEN summary = '' AND scene <> ''
        WHEN 'finish' THEN action = '' AND narration = '' AND summary <> '' AND scene <> ''
        ELSE action = '' AND narration = '' AND summary = '' AND scene = ''
    END)
);

-- A consequence is an effect on the campaign that a turn proposed. version is
-- the turn's, position its place in it from 1. One that was approved beforehand
-- has no decided_version; else that is the review's.
CREATE TABLE play.consequence (
    id              uuid        NOT NULL,
    assignment_id   uuid        NOT NULL,
    version         bigint      NOT NULL,
    position        integer     NOT NULL,
    category        text        COLLATE "C" NOT NULL,
    description     text        NOT NULL,
    status          text        COLLATE "C" NOT NULL,
    note            text        NOT NULL,
    decided_version bigint,
    decided_at      timestamptz,
    created_at      timestamptz NOT NULL,
    CONSTRAINT consequence_pkey PRIMARY KEY (id),
    CONSTRAINT consequence_turn_fkey FOREIGN KEY (assignment_id, version) REFERENCES play.event (assignment_id, version),
    CONSTRAINT consequence_review_fkey FOREIGN KEY (assignment_id, decided_version)
        REFERENCES play.event (assignment_id, version),
    CONSTRAINT consequence_position_range CHECK (position BETWEEN 1 AND 10),
    CONSTRAINT consequence_category_known CHECK (category IN ('resource', 'relationship', 'discovery', 'narrative')),
    CONSTRAINT consequence_description_length CHECK (char_length(description) BETWEEN 1 AND 1500),
    CONSTRAINT consequence_status_known CHECK (status IN ('pending', 'approved', 'rejected')),
    CONSTRAINT consequence_note_length CHECK (char_length(note) <= 2000),
    CONSTRAINT consequence_decision_whole CHECK ((decided_version IS NULL) = (decided_at IS NULL)),
    CONSTRAINT consequence_decision_of_status CHECK (CASE status
        WHEN 'pending' THEN decided_version IS NULL AND note = ''
        WHEN 'rejected' THEN decided_version IS NOT NULL
        ELSE decided_version IS NOT NULL OR note = ''
    END)
);

-- An assignment's consequences, those of the newest turn first.
CREATE UNIQUE INDEX consequence_of_turn ON play.consequence (assignment_id, version DESC, position);

-- A receipt is the answer to one operation, kept under the identifier that its
-- caller chose. It is written in the operation's transaction. attempt_id is the
-- call that wrote it, so that a call finds its own. The result is json and not
-- jsonb, which would not give it back as it was.
CREATE TABLE play.receipt (
    assignment_id uuid        NOT NULL,
    operation_id  uuid        NOT NULL,
    kind          text        COLLATE "C" NOT NULL,
    request       bytea       NOT NULL,
    attempt_id    uuid        NOT NULL,
    version       bigint      NOT NULL,
    result        json        NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT receipt_pkey PRIMARY KEY (assignment_id, operation_id),
    CONSTRAINT receipt_version_key UNIQUE (assignment_id, version),
    CONSTRAINT receipt_event_fkey FOREIGN KEY (assignment_id, version) REFERENCES play.event (assignment_id, version),
    CONSTRAINT receipt_kind_known CHECK (kind IN ('turn', 'finish', 'review')),
    CONSTRAINT receipt_request_digest CHECK (octet_length(request) = 32)
);
