-- +goose Up
-- Whether the operation is the removal of a delegation, and no user operation. Its entry_point in bundler_operations is the zero address.
ALTER TABLE bundler_calls ADD COLUMN removal SMALLINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE bundler_calls DROP COLUMN removal;
