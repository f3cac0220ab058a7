-- +goose Up
-- Names that an account signed for come before those it was given.
DROP INDEX names_by_owner;
CREATE INDEX names_by_owner ON names (owner, (owner_proof = ''), registered_at, name);

-- +goose Down
DROP INDEX names_by_owner;
CREATE INDEX names_by_owner ON names (owner, registered_at, name);
