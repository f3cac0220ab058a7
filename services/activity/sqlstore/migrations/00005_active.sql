-- +goose Up
CREATE INDEX activity_accounts_active ON activity_accounts (chain_id, asked_at);

-- +goose Down
DROP INDEX activity_accounts_active;
