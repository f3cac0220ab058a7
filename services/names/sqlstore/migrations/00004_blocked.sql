-- +goose Up
CREATE TABLE name_blocks (
    label      TEXT   PRIMARY KEY,
    skeleton   TEXT   NOT NULL, -- the label with its look-alike characters replaced
    blocked_at BIGINT NOT NULL  -- Unix milliseconds
);
CREATE INDEX name_blocks_skeleton ON name_blocks (skeleton);

-- +goose Down
DROP TABLE name_blocks;
