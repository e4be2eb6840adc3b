-- +goose Up
CREATE SCHEMA play;

-- A person: a game master, a player or both. The password is an argon2id hash in
-- the PHC string format. One that is not active has no sessions, and none of its
-- tokens is taken.
CREATE TABLE play.account (
    id           uuid        NOT NULL,
    username     text        COLLATE "C" NOT NULL,
    display_name text        NOT NULL,
    language     text        COLLATE "C" NOT NULL,
    password     text        COLLATE "C" NOT NULL,
    active       boolean     NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    CONSTRAINT account_pkey PRIMARY KEY (id),
    CONSTRAINT account_username_key UNIQUE (username),
    CONSTRAINT account_username_form CHECK (username ~ '^[a-z][a-z0-9._-]{1,63}$'),
    CONSTRAINT account_display_name_length CHECK (char_length(display_name) BETWEEN 1 AND 100),
    CONSTRAINT account_language_known CHECK (language IN ('en', 'pl')),
    CONSTRAINT account_password_form CHECK (password LIKE '$argon2id$%' AND char_length(password) <= 256)
);

-- A login session. Its secret is kept by the browser; digest is its SHA-256.
CREATE TABLE play.login (
    digest     bytea       NOT NULL,
    account_id uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT login_pkey PRIMARY KEY (digest),
    CONSTRAINT login_account_fkey FOREIGN KEY (account_id) REFERENCES play.account (id) ON DELETE CASCADE,
    CONSTRAINT login_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT login_times CHECK (created_at <= seen_at AND created_at < expires_at)
);

CREATE INDEX login_of_account ON play.login (account_id, created_at);
CREATE INDEX login_by_expiry ON play.login (expires_at);

-- An attempt to log in, once for the username and once for the address that it
-- came from, for the bounds on guessing. subject is the SHA-256 of either, so
-- that what people type by mistake is not kept.
CREATE TABLE play.login_attempt (
    subject    bytea       NOT NULL,
    id         uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT login_attempt_pkey PRIMARY KEY (subject, id),
    CONSTRAINT login_attempt_subject_length CHECK (octet_length(subject) = 32)
);

CREATE INDEX login_attempt_of_subject ON play.login_attempt (subject, created_at);
CREATE INDEX login_attempt_by_age ON play.login_attempt (created_at);

-- A personal token of an author, for programs. digest is its SHA-256.
CREATE TABLE play.author_token (
    id           uuid        NOT NULL,
    account_id   uuid        NOT NULL,
    digest       bytea       NOT NULL,
    name         text        NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    CONSTRAINT author_token_pkey PRIMARY KEY (id),
    CONSTRAINT author_token_digest_key UNIQUE (digest),
    CONSTRAINT author_token_account_fkey FOREIGN KEY (account_id) REFERENCES play.account (id) ON DELETE CASCADE,
    CONSTRAINT author_token_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT author_token_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT author_token_times CHECK (created_at < expires_at)
);

CREATE INDEX author_token_of_account ON play.author_token (account_id, created_at);
