-- +goose Up
CREATE TABLE names (
    name            TEXT   PRIMARY KEY, -- such as alice.hawser.id
    owner           TEXT   NOT NULL,    -- 0x and 40 hex digits with their checksum
    owner_coin_type BIGINT NOT NULL,    -- the chain on which the owner proved itself, or is to
    owner_proof     TEXT   NOT NULL,    -- key, contract, or empty: the owner has not signed yet
    attributes      TEXT   NOT NULL,    -- JSON object
    registered_at   BIGINT NOT NULL,    -- Unix milliseconds
    updated_at      BIGINT NOT NULL     -- Unix milliseconds
);
CREATE INDEX names_by_owner ON names (owner, registered_at, name);

CREATE TABLE name_addresses (
    name      TEXT   NOT NULL,
    coin_type BIGINT NOT NULL,
    address   TEXT   NOT NULL, -- 0x and 40 hex digits with their checksum
    set_at    BIGINT NOT NULL, -- Unix milliseconds
    PRIMARY KEY (name, coin_type)
);

-- What was ever changed, with its proof. Nothing is changed here, and nothing is deleted; the key is what keeps a signed text from counting twice.
CREATE TABLE name_history (
    digest    TEXT   PRIMARY KEY, -- SHA-256 of account and message, hex
    name      TEXT   NOT NULL,
    action    TEXT   NOT NULL,
    account   TEXT   NOT NULL,
    coin_type BIGINT NOT NULL,
    proof     TEXT   NOT NULL,
    message   TEXT   NOT NULL,    -- as it was signed
    signature TEXT   NOT NULL,    -- hex
    at        BIGINT NOT NULL     -- Unix milliseconds
);
CREATE INDEX name_history_by_name ON name_history (name, at);

CREATE TABLE name_changes (
    account TEXT   PRIMARY KEY,
    hour    BIGINT NOT NULL, -- since 1970
    changes BIGINT NOT NULL  -- within that hour
);

-- +goose Down
DROP TABLE name_changes;
DROP TABLE name_history;
DROP TABLE name_addresses;
DROP TABLE names;
