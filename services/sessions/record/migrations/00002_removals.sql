-- +goose Up
-- Revoked sessions (package removal).
CREATE TABLE sessions_removals (
    user_id    TEXT   NOT NULL, -- account
    factor_id  TEXT   NOT NULL, -- UUID of the session, an @, and its expiry in Unix seconds
    removed_at BIGINT NOT NULL, -- Unix milliseconds
    PRIMARY KEY (user_id, factor_id)
);
CREATE INDEX sessions_removals_removed_at ON sessions_removals (removed_at);
INSERT INTO sessions_removals (user_id, factor_id, removed_at)
    SELECT account, pci || '@' || CAST(expiry AS TEXT), revoked_at * 1000 FROM sessions_sessions WHERE revoked_at <> 0;

-- +goose Down
DROP TABLE sessions_removals;
