-- +goose Up
CREATE TABLE console_passkeys (
    id              TEXT   PRIMARY KEY, -- 32 lower-case hex digits
    operator_id     TEXT   NOT NULL REFERENCES console_operators (id) ON DELETE CASCADE,
    name            TEXT   NOT NULL,
    credential      TEXT   NOT NULL UNIQUE, -- id of the credential, base64url
    public_key      TEXT   NOT NULL,    -- COSE, base64url
    signatures      BIGINT NOT NULL,    -- what the authenticator counted at the latest login; 0 if it does not count
    backup_eligible BIGINT NOT NULL,    -- 1 for a passkey that several devices may share
    created_at      BIGINT NOT NULL,    -- Unix milliseconds
    used_at         BIGINT NOT NULL     -- Unix milliseconds of the latest login; 0 for never
);
CREATE INDEX console_passkeys_operator_id ON console_passkeys (operator_id);

CREATE TABLE console_challenges (
    hash       TEXT   PRIMARY KEY, -- SHA-256 of the challenge, hex
    session_id TEXT   NOT NULL,    -- the session that adds a passkey; empty for a login
    expires_at BIGINT NOT NULL     -- Unix milliseconds
);
CREATE INDEX console_challenges_expires_at ON console_challenges (expires_at);

-- +goose Down
DROP TABLE console_challenges;
DROP TABLE console_passkeys;
