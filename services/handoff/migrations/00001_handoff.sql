-- +goose Up
CREATE TABLE handoffs (
    id          TEXT   PRIMARY KEY, -- 22 characters of base64url
    project     TEXT   NOT NULL,    -- 32 lower-case hex digits
    origin      TEXT   NOT NULL,    -- scheme://host, with a port unless it is the default
    commitment  TEXT   NOT NULL,    -- 64 hex digits
    secret_hash TEXT   NOT NULL,    -- SHA-256 in hex digits
    public_key  TEXT   NOT NULL DEFAULT '', -- 64 hex digits; empty until it is claimed
    refused     BIGINT NOT NULL DEFAULT 0,  -- other keys that tried to claim it
    expires_at  BIGINT NOT NULL     -- Unix milliseconds
);
CREATE INDEX handoffs_expires_at ON handoffs (expires_at);

-- +goose Down
DROP TABLE handoffs;
