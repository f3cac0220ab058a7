-- +goose Up
CREATE TABLE wallet_secrets (
    name   TEXT PRIMARY KEY, -- what the secret is for
    sealed TEXT NOT NULL     -- sealed secret (package seal)
);

CREATE TABLE wallet_users (
    id         TEXT   PRIMARY KEY, -- 32 lower-case hex digits
    project    TEXT   NOT NULL,    -- 32 lower-case hex digits
    account    BIGINT NOT NULL,    -- AccountType of the proto
    kit_at     BIGINT NOT NULL,    -- Unix milliseconds of the last recovery kit, 0 for never
    created_at BIGINT NOT NULL     -- Unix milliseconds
);

CREATE TABLE wallet_identities (
    project    TEXT   NOT NULL,
    provider   TEXT   NOT NULL, -- email, farcaster, or a social provider
    subject    TEXT   NOT NULL, -- normalized email, Farcaster id, or subject at the provider
    user_id    TEXT   NOT NULL REFERENCES wallet_users (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL, -- Unix milliseconds
    ends_at    BIGINT NOT NULL, -- Unix milliseconds, 0 for never
    PRIMARY KEY (project, provider, subject)
);
CREATE INDEX wallet_identities_user_id ON wallet_identities (user_id);

CREATE TABLE wallet_devices (
    user_id    TEXT   NOT NULL REFERENCES wallet_users (id) ON DELETE CASCADE,
    device     TEXT   NOT NULL, -- thumbprint of the device key (RFC 7638)
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, device)
);

CREATE TABLE wallet_challenges (
    id         TEXT   PRIMARY KEY, -- 32 lower-case hex digits
    project    TEXT   NOT NULL,
    purpose    TEXT   NOT NULL,    -- login, old-email or new-email
    email      TEXT   NOT NULL,    -- normalized
    device     TEXT   NOT NULL,
    user_id    TEXT   NOT NULL,    -- whose email is changed; empty for a login
    new_email  TEXT   NOT NULL,    -- new email of an old-email challenge
    state      TEXT   NOT NULL,    -- device, code, denied or ended
    words      TEXT   NOT NULL,
    link_hash  TEXT   NOT NULL,    -- SHA-256 of the token of the link, empty for none
    code_mac   TEXT   NOT NULL,    -- HMAC-SHA256 of the code, empty for none
    attempts   BIGINT NOT NULL,
    mails      BIGINT NOT NULL,
    mailed_at  BIGINT NOT NULL,    -- Unix milliseconds
    browser    TEXT   NOT NULL,
    os         TEXT   NOT NULL,
    site       TEXT   NOT NULL,
    network    TEXT   NOT NULL,    -- IP address without its last bits
    address    TEXT   NOT NULL,    -- HMAC-SHA256 of the IP address
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX wallet_challenges_email ON wallet_challenges (project, email, created_at);
CREATE INDEX wallet_challenges_address ON wallet_challenges (address, created_at);
CREATE INDEX wallet_challenges_link_hash ON wallet_challenges (link_hash);
CREATE INDEX wallet_challenges_created_at ON wallet_challenges (created_at);

CREATE TABLE wallet_sessions (
    id           TEXT   PRIMARY KEY, -- 32 lower-case hex digits
    project      TEXT   NOT NULL,
    user_id      TEXT   NOT NULL REFERENCES wallet_users (id) ON DELETE CASCADE,
    device       TEXT   NOT NULL,
    browser      TEXT   NOT NULL,
    os           TEXT   NOT NULL,
    site         TEXT   NOT NULL,
    refresh_hash TEXT   NOT NULL,    -- SHA-256 of the refresh token that is valid now
    created_at   BIGINT NOT NULL,
    used_at      BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL     -- when the refresh token expires
);
CREATE INDEX wallet_sessions_user_id ON wallet_sessions (user_id);
CREATE INDEX wallet_sessions_refresh_hash ON wallet_sessions (refresh_hash);
CREATE INDEX wallet_sessions_expires_at ON wallet_sessions (expires_at);

CREATE TABLE wallet_used_refreshes (
    hash       TEXT PRIMARY KEY, -- SHA-256 of a refresh token that was used
    session_id TEXT NOT NULL REFERENCES wallet_sessions (id) ON DELETE CASCADE
);
CREATE INDEX wallet_used_refreshes_session_id ON wallet_used_refreshes (session_id);

CREATE TABLE wallet_proofs (
    id         TEXT   PRIMARY KEY, -- SHA-256 of the device key's thumbprint and the proof's jti
    expires_at BIGINT NOT NULL
);
CREATE INDEX wallet_proofs_expires_at ON wallet_proofs (expires_at);

CREATE TABLE wallet_wallets (
    id         TEXT   PRIMARY KEY, -- 32 lower-case hex digits
    user_id    TEXT   NOT NULL UNIQUE REFERENCES wallet_users (id) ON DELETE CASCADE,
    version    BIGINT NOT NULL,
    blob       TEXT   NOT NULL,    -- encrypted entropy in base64
    accounts   TEXT   NOT NULL,    -- JSON list of namespace, address and kind
    created_at BIGINT NOT NULL
);

CREATE TABLE wallet_factors (
    id         TEXT   NOT NULL,    -- 32 lower-case hex digits
    user_id    TEXT   NOT NULL REFERENCES wallet_users (id) ON DELETE CASCADE,
    wallet_id  TEXT   NOT NULL REFERENCES wallet_wallets (id) ON DELETE CASCADE,
    kind       TEXT   NOT NULL,    -- device, passkey, password or login
    label      TEXT   NOT NULL,
    device     TEXT   NOT NULL,    -- device key of a device factor; empty for others
    half       TEXT   NOT NULL,    -- sealed half of the key
    record     TEXT   NOT NULL,    -- base64; sealed for a login factor
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,    -- 0 for never
    PRIMARY KEY (user_id, id)
);
CREATE INDEX wallet_factors_wallet_id ON wallet_factors (wallet_id);

-- +goose Down
DROP TABLE wallet_factors;
DROP TABLE wallet_wallets;
DROP TABLE wallet_proofs;
DROP TABLE wallet_used_refreshes;
DROP TABLE wallet_sessions;
DROP TABLE wallet_challenges;
DROP TABLE wallet_devices;
DROP TABLE wallet_identities;
DROP TABLE wallet_users;
DROP TABLE wallet_secrets;
