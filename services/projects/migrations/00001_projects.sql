-- +goose Up
CREATE TABLE projects (
    id                  TEXT             PRIMARY KEY, -- 32 lower-case hex digits
    name                TEXT             NOT NULL,
    allowed_origins     TEXT             NOT NULL,    -- JSON list of patterns; empty allows every origin
    requests_per_second DOUBLE PRECISION NOT NULL,    -- 0 is no limit
    burst               BIGINT           NOT NULL,
    enabled             BOOLEAN          NOT NULL,
    created_at          BIGINT           NOT NULL,    -- Unix milliseconds
    changed_at          BIGINT           NOT NULL     -- Unix milliseconds
);

-- +goose Down
DROP TABLE projects;
