-- +goose Up

-- A ticket is a Party's request for support. Its revision rises with every
-- command on it; said counts the bytes of its comments.
CREATE TABLE platform.ticket (
    id          uuid        NOT NULL,
    party_id    uuid        NOT NULL,
    title       text        NOT NULL,
    body        text        NOT NULL,
    state       text        NOT NULL,
    assignee_id uuid,
    comments    integer     NOT NULL,
    said        integer     NOT NULL,
    revision    bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT ticket_pkey PRIMARY KEY (id),
    CONSTRAINT ticket_party_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT ticket_assignee_fkey FOREIGN KEY (assignee_id) REFERENCES platform.party (id),
    CONSTRAINT ticket_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
    CONSTRAINT ticket_body_length CHECK (char_length(body) BETWEEN 1 AND 20000),
    CONSTRAINT ticket_state_known CHECK (state IN ('open', 'assigned', 'closed')),
    CONSTRAINT ticket_open_unassigned CHECK (state <> 'open' OR assignee_id IS NULL),
    CONSTRAINT ticket_assigned_to CHECK (state <> 'assigned' OR assignee_id IS NOT NULL),
    CONSTRAINT ticket_comments_range CHECK (comments BETWEEN 0 AND 500),
    CONSTRAINT ticket_said_range CHECK (said BETWEEN 0 AND 524288),
    CONSTRAINT ticket_revision_positive CHECK (revision > 0)
);

-- A Party's list, and that of one state.
CREATE INDEX ticket_by_party ON platform.ticket (party_id, created_at DESC, id DESC);
CREATE INDEX ticket_by_party_and_state ON platform.ticket (party_id, state, created_at DESC, id DESC);
-- The operators' queue, that of one state, that of one operator, and both.
CREATE INDEX ticket_by_age ON platform.ticket (created_at, id);
CREATE INDEX ticket_by_state ON platform.ticket (state, created_at, id);
CREATE INDEX ticket_by_assignee ON platform.ticket (assignee_id, created_at, id);
CREATE INDEX ticket_by_assignee_and_state ON platform.ticket (assignee_id, state, created_at, id);

-- A comment is what was said about a ticket, numbered from 1.
CREATE TABLE platform.ticket_comment (
    ticket_id  uuid        NOT NULL,
    number     integer     NOT NULL,
    author_id  uuid        NOT NULL,
    body       text        NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT ticket_comment_pkey PRIMARY KEY (ticket_id, number),
    CONSTRAINT ticket_comment_ticket_fkey FOREIGN KEY (ticket_id) REFERENCES platform.ticket (id),
    CONSTRAINT ticket_comment_author_fkey FOREIGN KEY (author_id) REFERENCES platform.party (id),
    CONSTRAINT ticket_comment_number_range CHECK (number BETWEEN 1 AND 500),
    CONSTRAINT ticket_comment_body_length CHECK (char_length(body) BETWEEN 1 AND 20000)
);
