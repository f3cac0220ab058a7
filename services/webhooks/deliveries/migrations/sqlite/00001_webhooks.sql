-- +goose Up
-- Times are Unix milliseconds; 0 is never.
CREATE TABLE webhooks_endpoints (
    id              TEXT    NOT NULL PRIMARY KEY, -- ULID
    project         TEXT    NOT NULL, -- 32 lower-case hex digits
    url             TEXT    NOT NULL,
    kinds           TEXT    NOT NULL, -- JSON list
    sealed_secret   TEXT    NOT NULL, -- encrypted
    sealed_previous TEXT    NOT NULL, -- the secret before the last rotation, encrypted; or empty
    previous_until  BIGINT  NOT NULL,
    enabled         BOOLEAN NOT NULL,
    failures        BIGINT  NOT NULL, -- in a row, of different accounts
    failed_account  TEXT    NOT NULL, -- of the last of them
    paused_until    BIGINT  NOT NULL,
    answered_at     BIGINT  NOT NULL, -- when it first answered
    dropped         BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL
);
CREATE INDEX webhooks_endpoints_project ON webhooks_endpoints (project, id);

CREATE TABLE webhooks_deliveries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    endpoint    TEXT   NOT NULL,
    project     TEXT   NOT NULL,
    message_id  TEXT   NOT NULL, -- that of the event
    kind        TEXT   NOT NULL,
    account     TEXT   NOT NULL, -- what the order is kept for
    body        TEXT   NOT NULL, -- JSON, as it is sent
    state       TEXT   NOT NULL, -- waiting, delivered or failed
    attempts    BIGINT NOT NULL,
    last_status BIGINT NOT NULL, -- 0 without an answer
    last_error  TEXT   NOT NULL,
    created_at  BIGINT NOT NULL, -- of the event
    expires_at  BIGINT NOT NULL, -- when it is given up
    ended_at    BIGINT NOT NULL,
    UNIQUE (endpoint, message_id)
);
CREATE INDEX webhooks_deliveries_account ON webhooks_deliveries (endpoint, account, id) WHERE state = 'waiting';
CREATE INDEX webhooks_deliveries_expires_at ON webhooks_deliveries (expires_at) WHERE state = 'waiting';
CREATE INDEX webhooks_deliveries_ended_at ON webhooks_deliveries (ended_at) WHERE state <> 'waiting';
CREATE INDEX webhooks_deliveries_project ON webhooks_deliveries (project, id);

-- The deliveries of one account that wait for one endpoint: the oldest is sent, the others wait for it.
CREATE TABLE webhooks_queues (
    endpoint TEXT   NOT NULL,
    account  TEXT   NOT NULL,
    project  TEXT   NOT NULL,
    waiting  BIGINT NOT NULL, -- how many
    tries    BIGINT NOT NULL, -- failed attempts at the oldest
    next_at  BIGINT NOT NULL, -- when it is sent; while it is being sent, when another process may send it
    lease    TEXT   NOT NULL, -- who sends it; empty for nobody
    PRIMARY KEY (endpoint, account)
);
CREATE INDEX webhooks_queues_next_at ON webhooks_queues (endpoint, next_at);
CREATE INDEX webhooks_queues_project ON webhooks_queues (project);

CREATE TABLE webhooks_attempts (
    delivery   BIGINT NOT NULL,
    number     BIGINT NOT NULL, -- from 1
    started_at BIGINT NOT NULL,
    took       BIGINT NOT NULL, -- milliseconds
    status     BIGINT NOT NULL, -- 0 without an answer
    error      TEXT   NOT NULL,
    PRIMARY KEY (delivery, number)
);

-- +goose Down
DROP TABLE webhooks_attempts;
DROP TABLE webhooks_queues;
DROP TABLE webhooks_deliveries;
DROP TABLE webhooks_endpoints;
