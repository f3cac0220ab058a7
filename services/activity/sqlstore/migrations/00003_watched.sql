-- +goose Up
ALTER TABLE activity_accounts ADD COLUMN watched_at BIGINT NOT NULL DEFAULT 0; -- Unix milliseconds; the last request to watch the account for an open page
CREATE INDEX activity_accounts_asked ON activity_accounts (chain_id, watched_at, asked_at);

-- +goose Down
DROP INDEX activity_accounts_asked;
ALTER TABLE activity_accounts DROP COLUMN watched_at;
