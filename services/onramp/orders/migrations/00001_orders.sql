-- +goose Up
CREATE TABLE onramp_orders (
    id                TEXT    PRIMARY KEY, -- ULID
    project           TEXT    NOT NULL,
    provider          TEXT    NOT NULL,
    seller            TEXT    NOT NULL,
    title             TEXT    NOT NULL,
    sandbox           BOOLEAN NOT NULL,
    state             TEXT    NOT NULL,
    reason            TEXT    NOT NULL,
    wallet            TEXT    NOT NULL,    -- as it was given
    account           TEXT    NOT NULL,    -- as it is compared
    chain_id          TEXT    NOT NULL,    -- CAIP-2
    transaction_hash  TEXT    NOT NULL,
    ref               TEXT    NOT NULL,    -- the provider's name for it
    payment           TEXT    NOT NULL,    -- decimal, in whole units; empty while nobody decided
    payment_currency  TEXT    NOT NULL,
    purchase          TEXT    NOT NULL,    -- decimal, in whole units; empty while nobody decided
    purchase_currency TEXT    NOT NULL,
    told              TEXT    NOT NULL,    -- JSON object: which message each field is from
    created_at        BIGINT  NOT NULL,    -- Unix milliseconds, as all times
    updated_at        BIGINT  NOT NULL,
    expires_at        BIGINT  NOT NULL,
    look_at           BIGINT  NOT NULL     -- 0 for never
);
CREATE INDEX onramp_orders_by_account ON onramp_orders (account, id);
CREATE INDEX onramp_orders_by_look ON onramp_orders (look_at) WHERE look_at > 0;
CREATE INDEX onramp_orders_by_expiry ON onramp_orders (expires_at) WHERE state = 'created';

-- How providers call orders: an order may have several names. Nothing is changed here.
CREATE TABLE onramp_refs (
    provider TEXT NOT NULL,
    ref      TEXT NOT NULL,
    order_id TEXT NOT NULL,
    PRIMARY KEY (provider, ref)
);

-- Events that name an order by a name that no order has yet.
CREATE TABLE onramp_waiting (
    provider TEXT   NOT NULL,
    ref      TEXT   NOT NULL,
    event    TEXT   NOT NULL, -- the provider's id of it
    data     TEXT   NOT NULL, -- JSON object
    heard_at BIGINT NOT NULL,
    PRIMARY KEY (provider, ref, event)
);
CREATE INDEX onramp_waiting_by_time ON onramp_waiting (heard_at);

-- +goose Down
DROP TABLE onramp_waiting;
DROP TABLE onramp_refs;
DROP TABLE onramp_orders;
