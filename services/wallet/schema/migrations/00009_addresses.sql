-- +goose Up
CREATE TABLE wallet_addresses (
    address   TEXT NOT NULL, -- of eip155 in lower case
    wallet_id TEXT NOT NULL REFERENCES wallet_wallets (id) ON DELETE CASCADE,
    PRIMARY KEY (address, wallet_id)
);
CREATE INDEX wallet_addresses_wallet_id ON wallet_addresses (wallet_id);

-- Wallets of earlier releases, whose addresses are listed before the next search.
ALTER TABLE wallet_wallets ADD COLUMN is_listed BIGINT NOT NULL DEFAULT 0; -- 1 if the addresses are in wallet_addresses
CREATE INDEX wallet_wallets_unlisted ON wallet_wallets (id) WHERE is_listed = 0;

-- +goose Down
DROP INDEX wallet_wallets_unlisted;
ALTER TABLE wallet_wallets DROP COLUMN is_listed;
DROP TABLE wallet_addresses;
