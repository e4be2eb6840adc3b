-- +goose Up

-- A ticket is a Party's request for support. Its revision rises with every
-- command on it; size counts the bytes of its texts and of those of its
-- comments.
CREATE TABLE platform.ticket (
    id          uuid        NOT NULL,
    party_id    uuid        NOT NULL,
    title       text        NOT NULL,
    body        text        NOT NULL,
    state       text        NOT NULL,
    assignee_id uuid,
    comments    integer     NOT NULL,
    size        integer     NOT NULL,
    revision    bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT ticket_pkey PRIMARY KEY (id),
    CONSTRAINT ticket_party_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT ticket_assignee_fkey FOREIGN KEY (assignee_id) REFERENCES platform.party (id),
    CONSTRAINT ticket_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
    CONSTRAINT ticket_body_length CHECK (char_length(body) BETWEEN 1 AND 20000),
    CONSTRAINT ticket_state_known CHECK (state IN ('open', 'assigned', 'closed')),
    CONSTRAINT ticket_assigned_to CHECK (CASE state WHEN 'open' THEN assignee_id IS NULL WHEN 'assigned' THEN assignee_id IS NOT NULL ELSE true END),
    CONSTRAINT ticket_comments_range CHECK (comments BETWEEN 0 AND 500),
    CONSTRAINT ticket_size_range CHECK (size BETWEEN 2 AND 524288),
    CONSTRAINT ticket_revision_positive CHECK (revision > 0)
);

-- A Party's list, and that of one state.
CREATE INDEX ticket_by_party ON platform.ticket (party_id, created_at DESC, id DESC);
CREATE INDEX ticket_by_party_and_state ON platform.ticket (party_id, state, created_at DESC, id DESC);
-- The operators' queue, and that of one state.
CREATE INDEX ticket_by_age ON platform.ticket (created_at, id);
CREATE INDEX ticket_by_state ON platform.ticket (state, created_at, id);

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
