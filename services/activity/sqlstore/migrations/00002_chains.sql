-- +goose Up
-- The first block of a chain, by which one that was begun anew is told from one that goes on.
CREATE TABLE activity_chains (
    chain_id TEXT PRIMARY KEY,
    genesis  TEXT NOT NULL
);

-- +goose Down
DROP TABLE activity_chains;
