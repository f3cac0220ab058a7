-- +goose Up
-- Approvals that accounts gave or took back, one row for each event.
CREATE TABLE activity_approvals (
    chain_id TEXT    NOT NULL,
    account  TEXT    NOT NULL,
    contract TEXT    NOT NULL, -- the token: 0x and 40 lower-case hex digits
    spender  TEXT    NOT NULL,
    kind     TEXT    NOT NULL, -- erc20, permit2, nft or operator
    token_id TEXT    NOT NULL, -- decimal; empty unless it is an nft
    slot     TEXT    NOT NULL, -- what all events about one approval have: contract, kind, and the spender, or the token id of an nft
    units    TEXT    NOT NULL, -- decimal, what the event states; 0 if the approval was taken back
    own      BOOLEAN NOT NULL, -- whether the account itself sent the transaction
    hash     TEXT    NOT NULL, -- the transaction's
    mined_at BIGINT  NOT NULL, -- Unix seconds
    block    BIGINT  NOT NULL,
    tx_index BIGINT  NOT NULL,
    position BIGINT  NOT NULL, -- of the event among the logs of its transaction
    PRIMARY KEY (chain_id, account, block, tx_index, position)
);
CREATE INDEX activity_approvals_slot ON activity_approvals (chain_id, account, slot, block, tx_index, position);
CREATE INDEX activity_approvals_own ON activity_approvals (chain_id, account, contract) WHERE own;
CREATE INDEX activity_approvals_block ON activity_approvals (chain_id, block);

-- The rows of accounts tell of some approvals only: not of those in a transaction with transfers, nor of Permit2. So the logs of all blocks that were read
-- for an account are read once more: those before the newest block by their logs, and the newest one whole, because later blocks may extend its window.
INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until)
SELECT r.chain_id, r.account, r.low, r.high, FALSE, 0, 0 FROM (
    SELECT s.chain_id, s.account, s.low, COALESCE((SELECT MIN(w.low) FROM activity_windows w
        WHERE w.chain_id = s.chain_id AND w.account = s.account AND w.low >= s.low), t.tip) - 1 AS high
    FROM (
        SELECT chain_id, account, 0 AS low FROM activity_accounts
        UNION ALL SELECT chain_id, account, high + 1 FROM activity_windows
    ) AS s JOIN (SELECT chain_id, MAX(number) AS tip FROM activity_blocks GROUP BY chain_id) AS t ON t.chain_id = s.chain_id
) AS r WHERE r.low <= r.high;
INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until)
SELECT a.chain_id, a.account, t.tip, t.tip, TRUE, 0, 0
FROM activity_accounts a JOIN (SELECT chain_id, MAX(number) AS tip FROM activity_blocks GROUP BY chain_id) AS t ON t.chain_id = a.chain_id
WHERE NOT EXISTS (SELECT 1 FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account AND w.high >= t.tip);

-- +goose Down
DROP TABLE activity_approvals;
