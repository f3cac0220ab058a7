-- +goose Up
CREATE TABLE console_operators (
    id         TEXT   PRIMARY KEY, -- 32 lower-case hex digits
    name       TEXT   NOT NULL UNIQUE,
    role       TEXT   NOT NULL,    -- viewer, support, operator or owner
    created_at BIGINT NOT NULL,    -- Unix milliseconds
    used_at    BIGINT NOT NULL     -- Unix milliseconds of the latest call, to the minute; 0 for never
);

CREATE TABLE console_links (
    hash        TEXT   PRIMARY KEY, -- SHA-256 of the token, hex
    operator_id TEXT   NOT NULL REFERENCES console_operators (id) ON DELETE CASCADE,
    expires_at  BIGINT NOT NULL     -- Unix milliseconds
);
CREATE INDEX console_links_operator_id ON console_links (operator_id);

CREATE TABLE console_sessions (
    id          TEXT   PRIMARY KEY, -- 32 lower-case hex digits
    hash        TEXT   NOT NULL UNIQUE, -- SHA-256 of the token, hex
    operator_id TEXT   NOT NULL REFERENCES console_operators (id) ON DELETE CASCADE,
    address     TEXT   NOT NULL,
    browser     TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,    -- Unix milliseconds
    used_at     BIGINT NOT NULL     -- Unix milliseconds, to the minute
);
CREATE INDEX console_sessions_operator_id ON console_sessions (operator_id);

-- It only grows. The operator may be gone, so that there is no reference.
CREATE TABLE console_audit (
    id            BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_by    BIGINT  NOT NULL, -- the entry that started the call; 0 for none
    at            BIGINT  NOT NULL, -- Unix milliseconds
    operator_id   TEXT    NOT NULL,
    operator_name TEXT    NOT NULL,
    role          TEXT    NOT NULL,
    call          TEXT    NOT NULL,
    changes       BIGINT  NOT NULL, -- 1 for a call that changes something
    target        TEXT    NOT NULL,
    before_state  TEXT    NOT NULL, -- JSON
    after_state   TEXT    NOT NULL, -- JSON
    address       TEXT    NOT NULL,
    outcome       TEXT    NOT NULL, -- started, done, refused or failed
    reason        TEXT    NOT NULL
);
CREATE INDEX console_audit_at ON console_audit (at);
CREATE INDEX console_audit_operator_id ON console_audit (operator_id, id);
CREATE INDEX console_audit_target ON console_audit (target, id);

-- +goose StatementBegin
CREATE FUNCTION console_audit_only_grows() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'the audit log only grows';
END;
$$ LANGUAGE plpgsql;
-- +goose StatementEnd
CREATE TRIGGER console_audit_keeps_entries BEFORE DELETE OR UPDATE OR TRUNCATE ON console_audit
    FOR EACH STATEMENT EXECUTE FUNCTION console_audit_only_grows();

-- +goose Down
DROP TABLE console_audit;
DROP FUNCTION console_audit_only_grows;
DROP TABLE console_sessions;
DROP TABLE console_links;
DROP TABLE console_operators;
