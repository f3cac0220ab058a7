-- +goose Up
CREATE TABLE outbox (
    seq          BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id           TEXT    NOT NULL UNIQUE, -- ULID, the event's id
    type         TEXT    NOT NULL,        -- full name of the proto message
    occurred_at  BIGINT  NOT NULL,        -- Unix milliseconds
    data         BYTEA   NOT NULL,        -- the message as protobuf
    trace_parent TEXT    NOT NULL         -- W3C traceparent, or empty
);

-- +goose Down
DROP TABLE outbox;
