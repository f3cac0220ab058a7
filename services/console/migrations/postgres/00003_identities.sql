-- +goose Up
CREATE TABLE console_identities (
    issuer      TEXT NOT NULL,
    subject     TEXT NOT NULL, -- id at the issuer
    operator_id TEXT NOT NULL UNIQUE REFERENCES console_operators (id) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject)
);

-- +goose Down
DROP TABLE console_identities;
