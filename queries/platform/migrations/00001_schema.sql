-- +goose Up
CREATE SCHEMA platform;

-- A receipt is the answer to one command, kept under the key that its caller
-- chose: (party, operation, key). It is written in the command's transaction.
-- The value is json and not jsonb, which would not give it back as it was.
CREATE TABLE platform.receipt (
    party_id     uuid        NOT NULL,
    operation    text        NOT NULL,
    key          uuid        NOT NULL,
    request      bytea       NOT NULL,
    aggregate_id uuid        NOT NULL,
    version      bigint      NOT NULL,
    rejection    text        NOT NULL,
    status       integer     NOT NULL,
    pending      boolean     NOT NULL,
    value        json        NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT receipt_pkey PRIMARY KEY (party_id, operation, key),
    CONSTRAINT receipt_operation_length CHECK (char_length(operation) BETWEEN 1 AND 64),
    CONSTRAINT receipt_request_digest CHECK (octet_length(request) = 32),
    CONSTRAINT receipt_version_range CHECK (version >= 0),
    CONSTRAINT receipt_rejection_length CHECK (char_length(rejection) <= 64),
    CONSTRAINT receipt_status_range CHECK (status BETWEEN 200 AND 499)
);

-- For the cleaner, which takes the oldest first.
CREATE INDEX receipt_created_at ON platform.receipt (created_at);
