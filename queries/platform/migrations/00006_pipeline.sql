-- +goose Up

-- A pipeline is what a project can run. Its name and description change, its
-- definition never does: a new one is a new version beside the others.
CREATE TABLE platform.pipeline (
    id          uuid        NOT NULL,
    project_id  uuid        NOT NULL,
    name        text        NOT NULL,
    description text        NOT NULL,
    state       text        NOT NULL,
    latest      bigint      NOT NULL, -- the newest version
    published   bigint,               -- the newest version that may run
    revision    bigint      NOT NULL,
    created_by  uuid        NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT pipeline_pkey PRIMARY KEY (id),
    CONSTRAINT pipeline_project_id_fkey FOREIGN KEY (project_id) REFERENCES platform.project (id),
    CONSTRAINT pipeline_created_by_fkey FOREIGN KEY (created_by) REFERENCES platform.party (id),
    CONSTRAINT pipeline_name_length CHECK (char_length(name) BETWEEN 1 AND 120),
    CONSTRAINT pipeline_description_length CHECK (char_length(description) <= 1000),
    CONSTRAINT pipeline_state_known CHECK (state IN ('draft', 'published', 'retired')),
    CONSTRAINT pipeline_latest_range CHECK (latest BETWEEN 1 AND 1000),
    CONSTRAINT pipeline_published_range CHECK (published BETWEEN 1 AND latest),
    CONSTRAINT pipeline_published_by_state CHECK ((state = 'draft') = (published IS NULL)),
    CONSTRAINT pipeline_revision_positive CHECK (revision >= 1)
);

-- Lists go through a project, the newest first.
CREATE INDEX pipeline_of_project ON platform.pipeline (project_id, created_at, id);
CREATE INDEX pipeline_of_project_by_state ON platform.pipeline (project_id, state, created_at, id);

CREATE TABLE platform.pipeline_version (
    pipeline_id  uuid        NOT NULL,
    number       bigint      NOT NULL,
    definition   jsonb       NOT NULL,
    created_by   uuid        NOT NULL,
    created_at   timestamptz NOT NULL,
    published_at timestamptz,
    CONSTRAINT pipeline_version_pkey PRIMARY KEY (pipeline_id, number),
    CONSTRAINT pipeline_version_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES platform.pipeline (id) ON DELETE CASCADE,
    CONSTRAINT pipeline_version_created_by_fkey FOREIGN KEY (created_by) REFERENCES platform.party (id),
    CONSTRAINT pipeline_version_number_range CHECK (number BETWEEN 1 AND 1000),
    CONSTRAINT pipeline_version_definition_object CHECK (jsonb_typeof(definition) = 'object')
);
