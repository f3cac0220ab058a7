-- +goose Up
-- The first block of a chain, to recognize a chain that was restarted.
CREATE TABLE activity_chains (
    chain_id TEXT PRIMARY KEY,
    genesis  TEXT NOT NULL
);

-- +goose Down
DROP TABLE activity_chains;
