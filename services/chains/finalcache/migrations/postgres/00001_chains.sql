-- +goose Up
-- Final results of reads, and what the first node returned of those that were read once.
CREATE TABLE chains_results (
    key     TEXT   NOT NULL PRIMARY KEY, -- SHA-256 of chain, method and parameters, in base64
    chain   TEXT   NOT NULL, -- CAIP-2 id
    result  BYTEA  NOT NULL, -- a byte that names the encoding, and the JSON; empty while there is only a claim
    node    TEXT   NOT NULL, -- host of the node that returned it first
    hash    BYTEA  NOT NULL, -- of what that node returned
    bytes   BIGINT NOT NULL, -- what the row counts for
    used_at BIGINT NOT NULL -- Unix milliseconds, exact to the hour
);
CREATE INDEX chains_results_used_at ON chains_results (used_at, key);

-- The sums over the rows of a chain, which every change of them changes.
CREATE TABLE chains_results_sizes (
    chain   TEXT   NOT NULL PRIMARY KEY,
    bytes   BIGINT NOT NULL,
    results BIGINT NOT NULL -- rows
);

-- +goose Down
DROP TABLE chains_results_sizes;
DROP TABLE chains_results;
