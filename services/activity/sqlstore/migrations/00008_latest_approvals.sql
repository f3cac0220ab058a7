-- +goose Up
-- Whether an event is the latest of its slot, so that the list of an account's approvals takes as long as they are many, not as their events.
ALTER TABLE activity_approvals ADD COLUMN latest BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE activity_approvals SET latest = TRUE WHERE NOT EXISTS (
    SELECT 1 FROM activity_approvals l
    WHERE l.chain_id = activity_approvals.chain_id AND l.account = activity_approvals.account AND l.slot = activity_approvals.slot
        AND (l.block, l.tx_index, l.position) > (activity_approvals.block, activity_approvals.tx_index, activity_approvals.position)
);
-- The column latest is there for SQLite to prefer it to the primary key, the last two for the filter by contract.
CREATE INDEX activity_approvals_latest ON activity_approvals (chain_id, account, latest, block, tx_index, position, contract, own)
    WHERE latest = TRUE AND units <> '0';

-- Whether the account itself sent the transaction that brought it the tokens. In the details of a row, the sender of the transaction is before the nonce.
ALTER TABLE activity_arrivals ADD COLUMN own BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE activity_arrivals SET own = TRUE WHERE EXISTS (
    SELECT 1 FROM activity_rows r
    WHERE r.chain_id = activity_arrivals.chain_id AND r.account = activity_arrivals.account AND r.hash = activity_arrivals.hash
        AND r.detail LIKE '%"from":"' || activity_arrivals.account || '"%"nonce":%'
);
CREATE INDEX activity_arrivals_own ON activity_arrivals (chain_id, account, contract) WHERE own;

-- +goose Down
DROP INDEX activity_arrivals_own;
ALTER TABLE activity_arrivals DROP COLUMN own;
DROP INDEX activity_approvals_latest;
ALTER TABLE activity_approvals DROP COLUMN latest;
