-- +goose Up
ALTER TABLE wallet_logins ADD COLUMN network TEXT NOT NULL DEFAULT ''; -- network of the device, for display

-- +goose Down
ALTER TABLE wallet_logins DROP COLUMN network;
