-- +goose Up
-- Sums of wei, or of operations, that are bounded in a period.
CREATE TABLE bundler_sums (
    chain_id  TEXT   NOT NULL, -- CAIP-2
    kind      TEXT   NOT NULL, -- loss, sponsored or forwarded
    subject   TEXT   NOT NULL, -- a project, an address, or empty for all
    starts_at BIGINT NOT NULL, -- of the period, Unix milliseconds
    amount    TEXT   NOT NULL, -- wei or a count, decimal
    PRIMARY KEY (chain_id, kind, subject, starts_at)
);
CREATE INDEX bundler_sums_starts_at ON bundler_sums (starts_at);

-- What the executor loses if the operation fails in a block, in wei.
ALTER TABLE bundler_operations ADD COLUMN max_loss TEXT NOT NULL DEFAULT '0';
-- The most that a transaction of the operation pays for a unit of gas, in wei; 0 if it is not known.
ALTER TABLE bundler_operations ADD COLUMN max_fee TEXT NOT NULL DEFAULT '0';

-- The nonce of the sponsored operation, who requested it, and whether it was sent. One that was not is given back after the signature expires.
ALTER TABLE bundler_sponsorships ADD COLUMN caller TEXT NOT NULL DEFAULT ''; -- a hash
ALTER TABLE bundler_sponsorships ADD COLUMN nonce TEXT NOT NULL DEFAULT '';
ALTER TABLE bundler_sponsorships ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0; -- Unix milliseconds
ALTER TABLE bundler_sponsorships ADD COLUMN sent SMALLINT NOT NULL DEFAULT 1;
CREATE INDEX bundler_sponsorships_open ON bundler_sponsorships (chain_id, expires_at) WHERE sent = 0;
CREATE INDEX bundler_sponsorships_nonce ON bundler_sponsorships (chain_id, account, nonce);

-- +goose Down
DROP INDEX bundler_sponsorships_nonce;
DROP INDEX bundler_sponsorships_open;
ALTER TABLE bundler_sponsorships DROP COLUMN sent;
ALTER TABLE bundler_sponsorships DROP COLUMN expires_at;
ALTER TABLE bundler_sponsorships DROP COLUMN nonce;
ALTER TABLE bundler_sponsorships DROP COLUMN caller;
ALTER TABLE bundler_operations DROP COLUMN max_fee;
ALTER TABLE bundler_operations DROP COLUMN max_loss;
DROP INDEX bundler_sums_starts_at;
DROP TABLE bundler_sums;
