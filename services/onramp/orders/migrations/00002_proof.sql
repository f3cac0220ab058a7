-- +goose Up
-- SHA-256 of the token that shows whose order it is; empty for orders placed before there were tokens, which nobody can list.
ALTER TABLE onramp_orders ADD COLUMN proof TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE onramp_orders DROP COLUMN proof;
