-- +goose Up
CREATE INDEX activity_accounts_address ON activity_accounts (account, chain_id);
CREATE INDEX activity_accounts_unused ON activity_accounts (asked_at);

-- +goose Down
DROP INDEX activity_accounts_unused;
DROP INDEX activity_accounts_address;
