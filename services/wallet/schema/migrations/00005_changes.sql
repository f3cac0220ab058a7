-- +goose Up
ALTER TABLE wallet_identities ADD COLUMN starts_at BIGINT NOT NULL DEFAULT 0; -- Unix milliseconds from which it signs in, 0 if it does
ALTER TABLE wallet_factors ADD COLUMN parameters TEXT NOT NULL DEFAULT ''; -- of a password, base64; empty for others
ALTER TABLE wallet_factors ADD COLUMN check_hash TEXT NOT NULL DEFAULT ''; -- SHA-256 of what proves a password, hex digits; empty for others

CREATE TABLE wallet_guesses (
    user_id    TEXT   NOT NULL REFERENCES wallet_users (id) ON DELETE CASCADE,
    factor_id  TEXT   NOT NULL,
    guessed_at BIGINT NOT NULL -- Unix milliseconds
);
CREATE INDEX wallet_guesses_factor ON wallet_guesses (user_id, factor_id, guessed_at);
CREATE INDEX wallet_guesses_guessed_at ON wallet_guesses (guessed_at);

CREATE TABLE wallet_changes (
    user_id    TEXT   NOT NULL REFERENCES wallet_users (id) ON DELETE CASCADE,
    kind       TEXT   NOT NULL, -- package notice
    provider   TEXT   NOT NULL, -- of an identity; empty for others
    changed_at BIGINT NOT NULL  -- Unix milliseconds
);
CREATE INDEX wallet_changes_user_id ON wallet_changes (user_id, changed_at);
CREATE INDEX wallet_changes_changed_at ON wallet_changes (changed_at);

-- +goose Down
DROP TABLE wallet_changes;
DROP TABLE wallet_guesses;
ALTER TABLE wallet_factors DROP COLUMN check_hash;
ALTER TABLE wallet_factors DROP COLUMN parameters;
ALTER TABLE wallet_identities DROP COLUMN starts_at;
