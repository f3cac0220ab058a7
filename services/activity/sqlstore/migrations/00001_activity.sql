-- +goose Up
CREATE TABLE activity_accounts (
    chain_id    TEXT   NOT NULL, -- CAIP-2
    account     TEXT   NOT NULL, -- 0x and 40 lower-case hex digits
    asked_at    BIGINT NOT NULL, -- Unix milliseconds
    native_from BIGINT NOT NULL, -- oldest block from which native transfers are known once windows are read
    PRIMARY KEY (chain_id, account)
);

-- The newest known blocks of a chain, to find the fork of a reorg.
CREATE TABLE activity_blocks (
    chain_id TEXT   NOT NULL,
    number   BIGINT NOT NULL,
    hash     TEXT   NOT NULL,
    parent   TEXT   NOT NULL,
    time     BIGINT NOT NULL, -- Unix seconds
    PRIMARY KEY (chain_id, number)
);

-- Windows: blocks that are still to be read for an account.
CREATE TABLE activity_windows (
    chain_id TEXT    NOT NULL,
    account  TEXT    NOT NULL,
    low      BIGINT  NOT NULL,
    high     BIGINT  NOT NULL, -- the last block of the window; it decreases while the window is read
    whole    BOOLEAN NOT NULL, -- whether blocks are read whole, not their logs only
    failures BIGINT  NOT NULL,
    rests_until BIGINT NOT NULL, -- Unix milliseconds
    PRIMARY KEY (chain_id, account, low)
);

CREATE TABLE activity_rows (
    chain_id   TEXT   NOT NULL,
    account    TEXT   NOT NULL,
    hash       TEXT   NOT NULL, -- the transaction's
    mined_at   BIGINT NOT NULL, -- Unix seconds
    block      BIGINT NOT NULL,
    tx_index   BIGINT NOT NULL,
    block_hash TEXT   NOT NULL,
    detail     TEXT   NOT NULL, -- JSON
    PRIMARY KEY (chain_id, account, hash)
);
CREATE INDEX activity_rows_history ON activity_rows (account, mined_at, chain_id, block, tx_index);
CREATE INDEX activity_rows_block ON activity_rows (chain_id, block);

-- Tokens that were transferred to an account.
CREATE TABLE activity_arrivals (
    chain_id TEXT   NOT NULL,
    account  TEXT   NOT NULL,
    contract TEXT   NOT NULL, -- 0x and 40 lower-case hex digits
    standard TEXT   NOT NULL, -- erc20, erc721 or erc1155
    token_id TEXT   NOT NULL, -- decimal; empty for erc20
    hash     TEXT   NOT NULL, -- the transaction's
    block    BIGINT NOT NULL,
    PRIMARY KEY (chain_id, account, contract, token_id, hash)
);
CREATE INDEX activity_arrivals_block ON activity_arrivals (chain_id, block);

-- What contracts return about themselves.
CREATE TABLE activity_tokens (
    chain_id TEXT   NOT NULL,
    contract TEXT   NOT NULL,
    name     TEXT   NOT NULL,
    symbol   TEXT   NOT NULL,
    decimals BIGINT NOT NULL,
    PRIMARY KEY (chain_id, contract)
);

-- +goose Down
DROP TABLE activity_tokens;
DROP TABLE activity_arrivals;
DROP TABLE activity_rows;
DROP TABLE activity_windows;
DROP TABLE activity_blocks;
DROP TABLE activity_accounts;
