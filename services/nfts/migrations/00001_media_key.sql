-- +goose Up
CREATE TABLE nft_media_key (
    id  BIGINT PRIMARY KEY CHECK (id = 1), -- there is one
    key TEXT   NOT NULL                    -- 64 hex digits, the key that seals references to pictures
);

-- +goose Down
DROP TABLE nft_media_key;
