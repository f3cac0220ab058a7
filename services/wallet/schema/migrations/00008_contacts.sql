-- +goose Up
CREATE TABLE wallet_contacts (
    wallet_id TEXT   PRIMARY KEY REFERENCES wallet_wallets (id) ON DELETE CASCADE,
    version   BIGINT NOT NULL, -- one higher with each change
    blob      TEXT   NOT NULL  -- encrypted contacts in base64
);

-- +goose Down
DROP TABLE wallet_contacts;
