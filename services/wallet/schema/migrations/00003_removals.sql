-- +goose Up
CREATE TABLE wallet_removals (
    user_id    TEXT   NOT NULL,
    factor_id  TEXT   NOT NULL, -- empty for the user
    removed_at BIGINT NOT NULL, -- Unix milliseconds
    PRIMARY KEY (user_id, factor_id)
);
CREATE INDEX wallet_removals_removed_at ON wallet_removals (removed_at);

-- +goose Down
DROP TABLE wallet_removals;
