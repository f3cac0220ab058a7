-- +goose Up
CREATE TABLE wallet_logins (
    id         TEXT   PRIMARY KEY, -- SHA-256 of the handle
    state_hash TEXT   NOT NULL UNIQUE, -- SHA-256 of the state
    project    TEXT   NOT NULL,
    device     TEXT   NOT NULL,    -- thumbprint of the device key
    provider   TEXT   NOT NULL,
    browser    TEXT   NOT NULL,
    os         TEXT   NOT NULL,
    site       TEXT   NOT NULL,
    channel    TEXT   NOT NULL,    -- sealed token of the Farcaster channel; empty for others
    stage      TEXT   NOT NULL,    -- started, redeeming, proven, failed or used
    subject    TEXT   NOT NULL,    -- subject at the provider, once proven
    name       TEXT   NOT NULL,
    expires_at BIGINT NOT NULL     -- Unix milliseconds
);
CREATE INDEX wallet_logins_expires_at ON wallet_logins (expires_at);

-- +goose Down
DROP TABLE wallet_logins;
