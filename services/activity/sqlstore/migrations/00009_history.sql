-- +goose Up
-- A page of one chain: without it, the rows of the account on its other chains that are newer are searched too, which may be hundreds of thousands.
CREATE INDEX activity_rows_chain ON activity_rows (chain_id, account, mined_at, block, tx_index);

-- +goose Down
DROP INDEX activity_rows_chain;
