-- +goose Up

-- A project is where a group of parties works: its pipelines, runs and tickets
-- belong to it. A deleted project stays as a row without members, so that what
-- it used can still be accounted for and its id is never given again.
CREATE TABLE platform.project (
    id          uuid        NOT NULL,
    slug        text        NOT NULL,
    name        text        NOT NULL,
    description text        NOT NULL,
    state       text        NOT NULL,
    members     integer     NOT NULL, -- how many there are
    revision    bigint      NOT NULL,
    created_by  uuid        NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT project_pkey PRIMARY KEY (id),
    CONSTRAINT project_created_by_fkey FOREIGN KEY (created_by) REFERENCES platform.party (id),
    CONSTRAINT project_slug_form CHECK (slug ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' AND char_length(slug) BETWEEN 2 AND 40),
    CONSTRAINT project_name_length CHECK (char_length(name) BETWEEN 1 AND 120),
    CONSTRAINT project_description_length CHECK (char_length(description) <= 2000),
    CONSTRAINT project_state_known CHECK (state IN ('active', 'archived', 'deleted')),
    CONSTRAINT project_members_bounded CHECK (
        CASE state WHEN 'deleted' THEN members = 0 ELSE members BETWEEN 1 AND 500 END
    ),
    CONSTRAINT project_revision_positive CHECK (revision >= 1)
);

-- A slug is unique among what one party created and did not delete.
CREATE UNIQUE INDEX project_created_by_slug_key ON platform.project (created_by, slug) WHERE state <> 'deleted';

-- A member is a party with a role in a project.
CREATE TABLE platform.member (
    project_id uuid        NOT NULL,
    party_id   uuid        NOT NULL,
    role       text        NOT NULL,
    added_at   timestamptz NOT NULL,
    CONSTRAINT member_pkey PRIMARY KEY (project_id, party_id),
    CONSTRAINT member_project_id_fkey FOREIGN KEY (project_id) REFERENCES platform.project (id),
    CONSTRAINT member_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT member_role_known CHECK (role IN ('owner', 'maintainer', 'member', 'viewer'))
);

-- The projects of a party, the last joined first; the members of a project,
-- the first joined first; the owners of a project.
CREATE INDEX member_of_party ON platform.member (party_id, added_at, project_id);
CREATE INDEX member_of_project ON platform.member (project_id, added_at, party_id);
CREATE INDEX member_owner ON platform.member (project_id) WHERE role = 'owner';

-- Usage counts the runs of a project since it was created, a retry as one more
-- and those that are deleted too. Whoever starts or ends one counts it in the
-- same transaction, as the last row that it locks.
CREATE TABLE platform.project_usage (
    project_id   uuid   NOT NULL,
    started      bigint NOT NULL,
    succeeded    bigint NOT NULL,
    failed       bigint NOT NULL,
    cancelled    bigint NOT NULL,
    milliseconds bigint NOT NULL,
    CONSTRAINT project_usage_pkey PRIMARY KEY (project_id),
    CONSTRAINT project_usage_project_id_fkey FOREIGN KEY (project_id) REFERENCES platform.project (id),
    CONSTRAINT project_usage_counts CHECK (
        succeeded >= 0 AND failed >= 0 AND cancelled >= 0 AND milliseconds >= 0
        AND started >= succeeded + failed + cancelled
    )
) WITH (fillfactor = 50);
