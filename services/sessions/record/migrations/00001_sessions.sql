-- +goose Up
CREATE TABLE sessions_sessions (
    pci          TEXT     NOT NULL PRIMARY KEY, -- UUID
    project      TEXT     NOT NULL, -- 32 lower-case hex digits
    origin       TEXT     NOT NULL, -- of the page that created it; empty for other clients
    chain_id     TEXT     NOT NULL, -- CAIP-2
    account      TEXT     NOT NULL, -- addresses are 0x and lower-case hex digits
    site_key     TEXT     NOT NULL, -- address of the site's key
    co_signer    TEXT     NOT NULL, -- address of the co-signer's key
    sealed_key   TEXT     NOT NULL, -- private key of the co-signer, encrypted
    delegate     TEXT     NOT NULL, -- account that may use the delegation; empty until the activation
    terms        TEXT     NOT NULL, -- JSON: expiry, permissions, policies and signer; what was requested until the activation, and then what was granted
    expiry       BIGINT   NOT NULL, -- times are Unix seconds
    context      TEXT     NOT NULL, -- hex digits; empty until the activation
    nonce        TEXT     NOT NULL, -- of the delegator at NonceEnforcer, decimal; empty until the activation
    created_at   BIGINT   NOT NULL,
    revoked_at   BIGINT   NOT NULL, -- 0 if it is not revoked
    ended_at     BIGINT   NOT NULL -- when the revocation was seen on chain; 0 if it was not
);
CREATE INDEX sessions_sessions_account ON sessions_sessions (chain_id, account, created_at, pci);
CREATE INDEX sessions_sessions_expiry ON sessions_sessions (expiry);

-- What the co-signer signed for.
CREATE TABLE sessions_spent (
    pci    TEXT   NOT NULL,
    kind   TEXT   NOT NULL, -- native, token or calls
    period BIGINT NOT NULL, -- number of the period
    amount TEXT   NOT NULL, -- decimal
    PRIMARY KEY (pci, kind, period)
);

CREATE TABLE sessions_signed (
    pci  TEXT NOT NULL,
    hash TEXT NOT NULL, -- of the user operation, 0x and lower-case hex digits
    PRIMARY KEY (pci, hash)
);

-- Nonces of accounts' proofs that were used.
CREATE TABLE sessions_proofs (
    account  TEXT   NOT NULL,
    nonce    TEXT   NOT NULL, -- 0x and lower-case hex digits
    deadline BIGINT NOT NULL,
    PRIMARY KEY (account, nonce)
);
CREATE INDEX sessions_proofs_deadline ON sessions_proofs (deadline);
