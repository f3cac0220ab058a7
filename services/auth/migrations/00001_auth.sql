-- +goose Up
CREATE TABLE auth_nonces (
    nonce      TEXT   PRIMARY KEY, -- letters and digits
    project    TEXT   NOT NULL,    -- 32 lower-case hex digits
    origin     TEXT   NOT NULL,    -- scheme://host, with a port unless it is the default
    token_hash TEXT   NOT NULL,    -- SHA-256 in hex digits
    expires_at BIGINT NOT NULL     -- Unix milliseconds
);
CREATE INDEX auth_nonces_expires_at ON auth_nonces (expires_at);

CREATE TABLE auth_sessions (
    token_hash TEXT    PRIMARY KEY, -- SHA-256 in hex digits
    project    TEXT    NOT NULL,
    origin     TEXT    NOT NULL,
    domain     TEXT    NOT NULL,
    address    TEXT    NOT NULL,
    chain_ids  TEXT    NOT NULL,    -- JSON list of CAIP-2 ids; the first is that of the first message
    all_chains BOOLEAN NOT NULL,
    issued_at  BIGINT  NOT NULL,    -- Unix milliseconds
    expires_at BIGINT  NOT NULL     -- Unix milliseconds
);
CREATE INDEX auth_sessions_expires_at ON auth_sessions (expires_at);

-- +goose Down
DROP TABLE auth_sessions;
DROP TABLE auth_nonces;
