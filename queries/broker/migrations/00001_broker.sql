-- +goose Up
CREATE SCHEMA broker;

-- A client that registered itself (RFC 7591). Those of metadata documents are
-- not kept, and static ones stand in the configuration.
CREATE TABLE broker.client (
    id            text        COLLATE "C" NOT NULL,
    name          text        NOT NULL,
    redirect_uris text[]      NOT NULL,
    created_at    timestamptz NOT NULL,
    used_at       timestamptz, -- when it last redeemed a code or refreshed
    CONSTRAINT client_pkey PRIMARY KEY (id),
    CONSTRAINT client_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT client_redirect_uris_count CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10)
);

CREATE INDEX client_unused ON broker.client (created_at) WHERE used_at IS NULL;
CREATE INDEX client_by_use ON broker.client (used_at);

-- When an address registered a client: the bound on how often it may.
CREATE TABLE broker.registration (
    address_hash bytea       NOT NULL,
    number       bigint      GENERATED ALWAYS AS IDENTITY NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT registration_pkey PRIMARY KEY (address_hash, number),
    CONSTRAINT registration_address_hash_length CHECK (octet_length(address_hash) = 32)
);

CREATE INDEX registration_by_age ON broker.registration (created_at);

-- An authorization that a person has not finished yet. binding_hash is of the
-- cookie of the browser that began it, state_hash of the state that the upstream
-- provider brings back. The upstream verifier and nonce are sealed under that
-- state, which is not kept. taken_by is of the return that took it, so that a
-- transaction whose end was not heard of finds its own. address_hash is of where
-- the request came from, to bound how many wait.
CREATE TABLE broker.request (
    handle_hash    bytea       NOT NULL,
    binding_hash   bytea       NOT NULL,
    client_id      text        COLLATE "C" NOT NULL,
    client_name    text        NOT NULL,
    redirect_uri   text        NOT NULL,
    scope          text        NOT NULL,
    challenge      text        NOT NULL,
    client_state   text        NOT NULL,
    stage          text        NOT NULL,
    state_hash     bytea,
    sealed         bytea,
    taken_by       bytea,
    address_hash   bytea       NOT NULL,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    CONSTRAINT request_pkey PRIMARY KEY (handle_hash),
    CONSTRAINT request_state_hash_key UNIQUE (state_hash),
    CONSTRAINT request_handle_hash_length CHECK (octet_length(handle_hash) = 32),
    CONSTRAINT request_binding_hash_length CHECK (octet_length(binding_hash) = 32),
    CONSTRAINT request_address_hash_length CHECK (octet_length(address_hash) = 32),
    CONSTRAINT request_taken CHECK ((stage = 'returned') = (taken_by IS NOT NULL)),
    CONSTRAINT request_stage_known CHECK (stage IN ('asked', 'approved', 'returned')),
    CONSTRAINT request_upstream CHECK ((stage = 'asked') = (state_hash IS NULL) AND (state_hash IS NULL) = (sealed IS NULL))
);

CREATE INDEX request_by_expiry ON broker.request (expires_at);
CREATE INDEX request_by_address ON broker.request (address_hash, expires_at);

-- What a person granted to a client.
CREATE TABLE broker.authorization_grant (
    id                   uuid        NOT NULL,
    client_id            text        COLLATE "C" NOT NULL,
    party_id             text        NOT NULL,
    auth_version         bigint      NOT NULL,
    identity_issuer      text        NOT NULL,
    identity_subject     text        NOT NULL,
    identity_voperson_id text        NOT NULL,
    scope                text        NOT NULL,
    operator             boolean     NOT NULL,
    created_at           timestamptz NOT NULL,
    expires_at           timestamptz NOT NULL,
    revoked_at           timestamptz,
    revoked_because      text,
    CONSTRAINT authorization_grant_pkey PRIMARY KEY (id),
    CONSTRAINT authorization_grant_revocation CHECK ((revoked_at IS NULL) = (revoked_because IS NULL))
);

CREATE INDEX authorization_grant_by_expiry ON broker.authorization_grant (expires_at);
CREATE INDEX authorization_grant_revoked ON broker.authorization_grant (revoked_at);

-- A code, of 60 seconds and for one use (RFC 6749, 4.1.2). consumed_by is the
-- hash of the refresh token that it was used for, so that a transaction whose
-- end was not heard of finds its own use.
CREATE TABLE broker.code (
    code_hash    bytea       NOT NULL,
    grant_id     uuid        NOT NULL,
    client_id    text        COLLATE "C" NOT NULL,
    redirect_uri text        NOT NULL,
    challenge    text        NOT NULL,
    expires_at   timestamptz NOT NULL,
    consumed_at  timestamptz,
    consumed_by  bytea,
    CONSTRAINT code_pkey PRIMARY KEY (code_hash),
    CONSTRAINT code_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES broker.authorization_grant (id) ON DELETE CASCADE,
    CONSTRAINT code_code_hash_length CHECK (octet_length(code_hash) = 32),
    CONSTRAINT code_consumption CHECK ((consumed_at IS NULL) = (consumed_by IS NULL))
);

CREATE INDEX code_by_grant ON broker.code (grant_id);

-- A refresh token. Once rotated it keeps its successor, sealed under a key that
-- only the old token gives, for the window in which it may be asked for again.
CREATE TABLE broker.refresh_token (
    token_hash       bytea       NOT NULL,
    grant_id         uuid        NOT NULL,
    generation       bigint      NOT NULL,
    created_at       timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    rotated_at       timestamptz,
    successor_hash   bytea,
    successor_sealed bytea,
    CONSTRAINT refresh_token_pkey PRIMARY KEY (token_hash),
    CONSTRAINT refresh_token_generation_key UNIQUE (grant_id, generation),
    CONSTRAINT refresh_token_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES broker.authorization_grant (id) ON DELETE CASCADE,
    CONSTRAINT refresh_token_token_hash_length CHECK (octet_length(token_hash) = 32),
    CONSTRAINT refresh_token_rotation CHECK (
        (rotated_at IS NULL) = (successor_hash IS NULL) AND (rotated_at IS NULL) = (successor_sealed IS NULL)
    )
);

CREATE INDEX refresh_token_by_expiry ON broker.refresh_token (expires_at);
