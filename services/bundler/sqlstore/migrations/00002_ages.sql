-- +goose Up
CREATE INDEX bundler_operations_received_at ON bundler_operations (received_at);
CREATE INDEX bundler_calls_created_at ON bundler_calls (created_at);

-- +goose Down
DROP INDEX bundler_calls_created_at;
DROP INDEX bundler_operations_received_at;
