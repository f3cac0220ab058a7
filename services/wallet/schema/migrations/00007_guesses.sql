-- +goose Up
ALTER TABLE wallet_guesses ADD COLUMN device TEXT NOT NULL DEFAULT ''; -- device key that guessed; empty for guesses of earlier releases

-- +goose Down
ALTER TABLE wallet_guesses DROP COLUMN device;
