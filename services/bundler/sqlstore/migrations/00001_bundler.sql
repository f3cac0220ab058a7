-- +goose Up
CREATE TABLE bundler_operations (
    chain_id     TEXT     NOT NULL, -- CAIP-2
    hash         TEXT     NOT NULL, -- of the user operation, 0x and lower-case hex digits
    project      TEXT     NOT NULL, -- 32 lower-case hex digits
    entry_point  TEXT     NOT NULL, -- addresses are 0x and lower-case hex digits
    sender       TEXT     NOT NULL,
    nonce        TEXT     NOT NULL, -- of the EntryPoint, 0x and hex digits
    body         TEXT     NOT NULL, -- JSON of ERC-7769
    state        SMALLINT NOT NULL, -- 1 sent, 2 included, 3 final, 4 dropped
    block_number BIGINT   NOT NULL, -- 0 until it is included
    received_at  BIGINT   NOT NULL, -- Unix milliseconds
    PRIMARY KEY (chain_id, hash)
);
-- One operation of an account and nonce is sent at a time.
CREATE UNIQUE INDEX bundler_operations_sent ON bundler_operations (chain_id, entry_point, sender, nonce) WHERE state = 1;
CREATE INDEX bundler_operations_open ON bundler_operations (chain_id, received_at) WHERE state < 3;
CREATE INDEX bundler_operations_project ON bundler_operations (project, received_at);
CREATE INDEX bundler_operations_sender ON bundler_operations (chain_id, sender, received_at);

CREATE TABLE bundler_transactions (
    chain_id  TEXT   NOT NULL,
    hash      TEXT   NOT NULL,
    operation TEXT   NOT NULL, -- hash of the user operation
    executor  TEXT   NOT NULL,
    nonce     BIGINT NOT NULL, -- of the executor
    raw       TEXT   NOT NULL, -- signed transaction, hex digits
    max_fee   TEXT   NOT NULL, -- wei, decimal
    tip       TEXT   NOT NULL, -- wei, decimal
    signed_at BIGINT NOT NULL, -- Unix milliseconds
    sent_at   BIGINT NOT NULL, -- Unix milliseconds
    PRIMARY KEY (chain_id, hash)
);
CREATE INDEX bundler_transactions_operation ON bundler_transactions (chain_id, operation);

CREATE TABLE bundler_executors (
    chain_id   TEXT   NOT NULL,
    address    TEXT   NOT NULL,
    next_nonce BIGINT NOT NULL,
    open       BIGINT NOT NULL, -- operations that are sent and not yet included
    PRIMARY KEY (chain_id, address)
);

CREATE TABLE bundler_calls (
    project      TEXT    NOT NULL,
    account      TEXT    NOT NULL,
    id_hash      TEXT    NOT NULL, -- SHA-256 of the id in hex digits
    id           TEXT    NOT NULL,
    chain_id     TEXT    NOT NULL,
    operation    TEXT    NOT NULL, -- hash of the user operation; empty for transactions
    transactions TEXT    NOT NULL, -- JSON list of signed transactions; empty for a user operation
    created_at   BIGINT  NOT NULL, -- Unix milliseconds
    PRIMARY KEY (project, account, id_hash)
);

CREATE TABLE bundler_sponsorships (
    chain_id   TEXT   NOT NULL,
    hash       TEXT   NOT NULL, -- that the paymaster signed
    project    TEXT   NOT NULL,
    account    TEXT   NOT NULL,
    day        BIGINT NOT NULL, -- days since 1970
    max_cost   TEXT   NOT NULL, -- wei, decimal
    PRIMARY KEY (chain_id, hash)
);
CREATE INDEX bundler_sponsorships_day ON bundler_sponsorships (chain_id, day, project, account);

-- +goose Down
DROP TABLE bundler_sponsorships;
DROP TABLE bundler_calls;
DROP TABLE bundler_executors;
DROP TABLE bundler_transactions;
DROP TABLE bundler_operations;
