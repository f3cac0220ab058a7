-- +goose Up
-- Why the order failed, by the name of a ramp.Failure; empty if it did not, and for failures that have only a reason.
ALTER TABLE onramp_orders ADD COLUMN failure TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE onramp_orders DROP COLUMN failure;
