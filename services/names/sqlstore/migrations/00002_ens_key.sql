-- +goose Up
CREATE TABLE name_ens_key (
    id  BIGINT PRIMARY KEY CHECK (id = 1), -- there is one
    key TEXT   NOT NULL                    -- 64 hex digits, the private key that signs answers to look-ups (ERC-3668)
);

-- +goose Down
DROP TABLE name_ens_key;
