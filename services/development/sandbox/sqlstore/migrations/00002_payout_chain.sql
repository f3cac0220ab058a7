-- +goose Up
ALTER TABLE onramp_sandbox_checkouts ADD COLUMN payout_chain TEXT NOT NULL DEFAULT ''; -- CAIP-2 chain of a checkout whose tokens are sent next; else empty
CREATE INDEX onramp_sandbox_checkouts_payouts ON onramp_sandbox_checkouts (payout_chain, due_at, id) WHERE payout_chain <> '';

-- +goose Down
DROP INDEX onramp_sandbox_checkouts_payouts;
ALTER TABLE onramp_sandbox_checkouts DROP COLUMN payout_chain;
