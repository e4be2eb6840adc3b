-- +goose Up

-- An SSH public key of a party. The same key may belong to several parties,
-- which do not learn of each other.
CREATE TABLE platform.ssh_key (
    id          uuid        NOT NULL,
    party_id    uuid        NOT NULL,
    name        text        NOT NULL,
    algorithm   text        NOT NULL,
    bits        integer     NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    public_key  text COLLATE "C" NOT NULL, -- algorithm and base64
    comment     text        NOT NULL,
    revision    bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT ssh_key_pkey PRIMARY KEY (id),
    CONSTRAINT ssh_key_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT ssh_key_party_fingerprint_key UNIQUE (party_id, fingerprint),
    CONSTRAINT ssh_key_name_length CHECK (char_length(name) BETWEEN 1 AND 80),
    CONSTRAINT ssh_key_algorithm_known CHECK (algorithm IN (
        'ssh-ed25519', 'sk-ssh-ed25519@openssh.com', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384',
        'ecdsa-sha2-nistp521', 'sk-ecdsa-sha2-nistp256@openssh.com', 'ssh-rsa'
    )),
    CONSTRAINT ssh_key_bits_enough CHECK (bits BETWEEN CASE algorithm WHEN 'ssh-rsa' THEN 3072 ELSE 256 END AND 16384),
    CONSTRAINT ssh_key_fingerprint_form CHECK (fingerprint ~ '^SHA256:[A-Za-z0-9+/]{43}$'),
    CONSTRAINT ssh_key_public_key_form CHECK (starts_with(public_key, algorithm || ' ') AND char_length(public_key) <= 8192),
    CONSTRAINT ssh_key_comment_length CHECK (char_length(comment) <= 255),
    CONSTRAINT ssh_key_revision_positive CHECK (revision >= 1)
);

CREATE INDEX ssh_key_of_party ON platform.ssh_key (party_id, created_at, id);
