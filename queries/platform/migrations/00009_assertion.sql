-- +goose Up

-- A login assertion that was shown, so that it is not taken again. Each lives
-- for some 30 seconds, and is remembered for longer.
CREATE TABLE platform.login_assertion (
    jti     text        COLLATE "C" NOT NULL,
    used_at timestamptz NOT NULL,
    CONSTRAINT login_assertion_pkey PRIMARY KEY (jti),
    CONSTRAINT login_assertion_jti_length CHECK (octet_length(jti) BETWEEN 1 AND 512)
);

-- For clearing away the oldest.
CREATE INDEX login_assertion_by_use ON platform.login_assertion (used_at);
