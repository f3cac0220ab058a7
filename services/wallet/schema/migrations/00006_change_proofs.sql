-- +goose Up
ALTER TABLE wallet_challenges ADD COLUMN old_email TEXT NOT NULL DEFAULT ''; -- email of the user that was proven before a new one, empty for none
ALTER TABLE wallet_challenges ADD COLUMN signed BIGINT NOT NULL DEFAULT 0; -- 1 if the wallet signed the change of the email
ALTER TABLE wallet_identities ADD COLUMN ends_signed BIGINT NOT NULL DEFAULT 0; -- 1 if the wallet signed the change that ends it

-- +goose Down
ALTER TABLE wallet_identities DROP COLUMN ends_signed;
ALTER TABLE wallet_challenges DROP COLUMN signed;
ALTER TABLE wallet_challenges DROP COLUMN old_email;
