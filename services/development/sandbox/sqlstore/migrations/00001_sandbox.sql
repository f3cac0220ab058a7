-- +goose Up
CREATE TABLE onramp_sandbox_checkouts (
    id       TEXT   PRIMARY KEY,     -- unguessable: part of the page's address
    order_id TEXT   NOT NULL UNIQUE,
    seller   TEXT   NOT NULL,
    stage    TEXT   NOT NULL,
    due_at   BIGINT,                 -- Unix milliseconds of the next step that needs no visitor; null for none
    details  TEXT   NOT NULL         -- JSON object
);
CREATE INDEX onramp_sandbox_checkouts_due ON onramp_sandbox_checkouts (due_at, id) WHERE due_at IS NOT NULL;

-- What was told of orders, and what is still to be delivered.
CREATE TABLE onramp_sandbox_events (
    id       TEXT   PRIMARY KEY, -- order and state
    order_id TEXT   NOT NULL,
    seller   TEXT   NOT NULL,
    body     TEXT   NOT NULL,    -- as it is delivered
    at       BIGINT NOT NULL,    -- Unix milliseconds
    attempts BIGINT NOT NULL,
    due_at   BIGINT              -- Unix milliseconds of the next attempt; null when it was taken, given up, or is never sent
);
CREATE INDEX onramp_sandbox_events_of_order ON onramp_sandbox_events (order_id, at);
CREATE INDEX onramp_sandbox_events_due ON onramp_sandbox_events (due_at, id) WHERE due_at IS NOT NULL;

-- What pays a checkout out. It is here before it is sent, so that only ever this one is sent.
CREATE TABLE onramp_sandbox_payouts (
    checkout_id TEXT   PRIMARY KEY,
    chain_id    TEXT   NOT NULL,
    genesis     TEXT   NOT NULL, -- hash of the chain's first block: a chain that began anew has another
    nonce       BIGINT NOT NULL,
    hash        TEXT   NOT NULL,
    raw         TEXT   NOT NULL, -- signed, hex
    strays      BIGINT NOT NULL, -- how often its nonce was found used by something else
    mined       BIGINT NOT NULL  -- 1 when it is in a block
);
CREATE UNIQUE INDEX onramp_sandbox_payouts_waiting ON onramp_sandbox_payouts (chain_id, genesis, nonce) WHERE mined = 0;

CREATE TABLE onramp_sandbox_secret (
    id     BIGINT PRIMARY KEY CHECK (id = 1), -- there is one
    secret TEXT   NOT NULL                    -- what the keys are made from that sign webhooks
);

-- +goose Down
DROP TABLE onramp_sandbox_secret;
DROP TABLE onramp_sandbox_payouts;
DROP TABLE onramp_sandbox_events;
DROP TABLE onramp_sandbox_checkouts;
