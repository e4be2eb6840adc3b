-- +goose Up

-- What of an event is searched: one row for each that the player sees, turns and
-- the ending. number counts these without gaps, so that a page of them is found
-- without counting. grams are hashes of the pieces of 1 to 3 characters in the
-- folded text, and of some of 10, mixed with the assignment.
CREATE TABLE play.event_text (
    assignment_id uuid     NOT NULL,
    version       bigint   NOT NULL,
    number        bigint   NOT NULL,
    folded        text     NOT NULL,
    grams         bigint[] NOT NULL,
    CONSTRAINT event_text_pkey PRIMARY KEY (assignment_id, version),
    CONSTRAINT event_text_number_key UNIQUE (assignment_id, number),
    CONSTRAINT event_text_event_fkey FOREIGN KEY (assignment_id, version) REFERENCES play.event (assignment_id, version),
    CONSTRAINT event_text_number_positive CHECK (number >= 1)
);

-- What is new goes onto the index's list of pending entries, which every search
-- reads; 512 kB are some twenty turns. Measured: with 256 kB a turn's part of
-- the index takes a quarter longer, at once six times as long; a search takes
-- several times as long with the 4 MB that are usual.
CREATE INDEX event_text_by_grams ON play.event_text USING gin (grams) WITH (gin_pending_list_limit = 512);
