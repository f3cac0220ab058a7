-- +goose Up
ALTER TABLE activity_accounts ADD COLUMN caller TEXT NOT NULL DEFAULT ''; -- hash of the network in whose turns the account is read
ALTER TABLE activity_accounts ADD COLUMN tracked_at BIGINT NOT NULL DEFAULT 0; -- Unix milliseconds of the first request
ALTER TABLE activity_accounts ADD COLUMN begun BOOLEAN NOT NULL DEFAULT TRUE; -- whether old blocks were read for it
CREATE INDEX activity_accounts_caller ON activity_accounts (chain_id, caller);

-- +goose Down
DROP INDEX activity_accounts_caller;
ALTER TABLE activity_accounts DROP COLUMN begun;
ALTER TABLE activity_accounts DROP COLUMN tracked_at;
ALTER TABLE activity_accounts DROP COLUMN caller;
