-- +goose Up
-- The transactions that are followed until they are final. Times are Unix milliseconds.
CREATE TABLE webhooks_transactions (
    project     TEXT   NOT NULL, -- 32 lower-case hex digits
    chain       TEXT   NOT NULL, -- CAIP-2
    hash        TEXT   NOT NULL, -- 0x and 64 lower-case hex digits
    reference   TEXT   NOT NULL, -- text of the site, or empty
    followed_at BIGINT NOT NULL,
    next_at     BIGINT NOT NULL, -- when it is read again
    block       BIGINT NOT NULL, -- number of the block that it is in; 0 without one
    block_hash  TEXT   NOT NULL, -- of that block; empty without one
    included_at BIGINT NOT NULL, -- when it was first found in that block
    PRIMARY KEY (project, chain, hash, reference)
);
CREATE INDEX webhooks_transactions_next_at ON webhooks_transactions (chain, next_at) WHERE block_hash = '';
CREATE INDEX webhooks_transactions_block ON webhooks_transactions (chain, block) WHERE block_hash <> '';
CREATE INDEX webhooks_transactions_followed_at ON webhooks_transactions (followed_at);

-- +goose Down
DROP TABLE webhooks_transactions;
