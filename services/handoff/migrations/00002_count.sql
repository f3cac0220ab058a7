-- +goose Up
-- Counts and deletions read this index alone.
CREATE INDEX handoffs_expires_at_project ON handoffs (expires_at, project);
DROP INDEX handoffs_expires_at;

-- +goose Down
CREATE INDEX handoffs_expires_at ON handoffs (expires_at);
DROP INDEX handoffs_expires_at_project;
