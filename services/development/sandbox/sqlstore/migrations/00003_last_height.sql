-- +goose Up
ALTER TABLE onramp_sandbox_payouts ADD COLUMN last_height BIGINT NOT NULL DEFAULT 0; -- last block height of Solana at which the transaction can be executed; 0 if unknown

-- +goose Down
ALTER TABLE onramp_sandbox_payouts DROP COLUMN last_height;
