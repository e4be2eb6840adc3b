-- +goose Up

-- A Party is a person who has registered. auth_version rises with every change
-- of what the person may do, revision with every change of the profile.
CREATE TABLE platform.party (
    id           uuid        NOT NULL,
    username     text        COLLATE "C" NOT NULL,
    display_name text        NOT NULL,
    email        text        NOT NULL,
    affiliation  text        NOT NULL,
    state        text        NOT NULL,
    auth_version bigint      NOT NULL DEFAULT 1,
    revision     bigint      NOT NULL DEFAULT 1,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    CONSTRAINT party_pkey PRIMARY KEY (id),
    CONSTRAINT party_username_key UNIQUE (username),
    CONSTRAINT party_username_form CHECK (username ~ '^[a-z][a-z0-9._-]{1,63}$'),
    CONSTRAINT party_display_name_length CHECK (char_length(display_name) BETWEEN 1 AND 120),
    CONSTRAINT party_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
    CONSTRAINT party_affiliation_length CHECK (char_length(affiliation) <= 200),
    CONSTRAINT party_state_known CHECK (state IN ('setup_pending', 'active', 'deactivated')),
    CONSTRAINT party_auth_version_positive CHECK (auth_version > 0),
    CONSTRAINT party_revision_positive CHECK (revision > 0)
);

-- An identity is how a person is known to whoever vouches for them: the exact
-- triple, never a part of it. Without a Party the person has not registered yet.
CREATE TABLE platform.identity (
    id          uuid        NOT NULL,
    issuer      text        COLLATE "C" NOT NULL,
    subject     text        COLLATE "C" NOT NULL,
    voperson_id text        COLLATE "C" NOT NULL,
    party_id    uuid,
    created_at  timestamptz NOT NULL,
    CONSTRAINT identity_pkey PRIMARY KEY (id),
    CONSTRAINT identity_triple_key UNIQUE (issuer, subject, voperson_id),
    CONSTRAINT identity_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT identity_issuer_length CHECK (octet_length(issuer) BETWEEN 1 AND 512),
    CONSTRAINT identity_subject_length CHECK (octet_length(subject) BETWEEN 1 AND 512),
    CONSTRAINT identity_voperson_id_length CHECK (octet_length(voperson_id) BETWEEN 1 AND 512)
);

CREATE INDEX identity_by_party ON platform.identity (party_id);

-- A credential is the password of an identity that the platform vouches for
-- itself. It is temporary while somebody else has chosen it.
CREATE TABLE platform.credential (
    identity_id uuid        NOT NULL,
    username    text        COLLATE "C" NOT NULL,
    password    text        NOT NULL,
    temporary   boolean     NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT credential_pkey PRIMARY KEY (identity_id),
    CONSTRAINT credential_username_key UNIQUE (username),
    CONSTRAINT credential_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES platform.identity (id),
    CONSTRAINT credential_username_form CHECK (username ~ '^[a-z][a-z0-9._-]{1,63}$'),
    CONSTRAINT credential_password_form CHECK (password LIKE '$argon2id$%')
);

-- The acceptable use policy has numbered versions. The newest one in effect is
-- the one that everybody must have accepted; the digest is its text's SHA-256.
CREATE TABLE platform.aup_version (
    version      bigint      NOT NULL,
    title        text        NOT NULL,
    text         text        NOT NULL,
    digest       bytea       NOT NULL,
    effective_at timestamptz NOT NULL,
    published_at timestamptz NOT NULL,
    CONSTRAINT aup_version_pkey PRIMARY KEY (version),
    CONSTRAINT aup_version_effective_at_key UNIQUE (effective_at),
    CONSTRAINT aup_version_range CHECK (version BETWEEN 1 AND 1000000),
    CONSTRAINT aup_version_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
    CONSTRAINT aup_version_text_length CHECK (char_length(text) BETWEEN 1 AND 100000),
    CONSTRAINT aup_version_digest_length CHECK (octet_length(digest) = 32)
);

-- Which version a Party has bound itself to, through which identity and when.
-- One that was withdrawn stays, and binds no more.
CREATE TABLE platform.aup_acceptance (
    party_id    uuid        NOT NULL,
    version     bigint      NOT NULL,
    identity_id uuid        NOT NULL,
    accepted_at timestamptz NOT NULL,
    withdrawn_at timestamptz,
    CONSTRAINT aup_acceptance_pkey PRIMARY KEY (party_id, version),
    CONSTRAINT aup_acceptance_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT aup_acceptance_version_fkey FOREIGN KEY (version) REFERENCES platform.aup_version (version),
    CONSTRAINT aup_acceptance_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES platform.identity (id)
);

-- The acceptances that bind: not withdrawn, and made through an identity that
-- is still the Party's.
CREATE VIEW platform.aup_binding AS
SELECT acceptance.party_id, acceptance.version
FROM platform.aup_acceptance AS acceptance
JOIN platform.identity AS identity ON identity.id = acceptance.identity_id AND identity.party_id = acceptance.party_id
WHERE acceptance.withdrawn_at IS NULL;

-- Who is enrolled as an operator.
CREATE TABLE platform.operator (
    party_id    uuid        NOT NULL,
    enrolled_at timestamptz NOT NULL,
    CONSTRAINT operator_pkey PRIMARY KEY (party_id),
    CONSTRAINT operator_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id)
);

-- A session belongs to an identity, which may not have registered yet: its
-- auth_version is then 0.
CREATE TABLE platform.session (
    digest       bytea       NOT NULL,
    identity_id  uuid        NOT NULL,
    auth_version bigint      NOT NULL,
    created_at   timestamptz NOT NULL,
    seen_at      timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT session_pkey PRIMARY KEY (digest),
    CONSTRAINT session_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES platform.identity (id),
    CONSTRAINT session_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT session_auth_version_natural CHECK (auth_version >= 0)
);

CREATE INDEX session_by_identity ON platform.session (identity_id, created_at);
CREATE INDEX session_by_expiry ON platform.session (expires_at);

-- A personal access token.
CREATE TABLE platform.access_token (
    id           uuid        NOT NULL,
    party_id     uuid        NOT NULL,
    digest       bytea       NOT NULL,
    name         text        NOT NULL,
    scopes       text[]      NOT NULL,
    auth_version bigint      NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    CONSTRAINT access_token_pkey PRIMARY KEY (id),
    CONSTRAINT access_token_digest_key UNIQUE (digest),
    CONSTRAINT access_token_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT access_token_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT access_token_name_length CHECK (char_length(name) BETWEEN 1 AND 80),
    CONSTRAINT access_token_scopes_count CHECK (cardinality(scopes) BETWEEN 1 AND 64),
    CONSTRAINT access_token_expiry_after CHECK (expires_at > created_at)
);

CREATE INDEX access_token_by_party ON platform.access_token (party_id, created_at, id);
