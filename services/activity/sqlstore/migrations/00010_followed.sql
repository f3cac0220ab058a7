-- +goose Up
-- The last block that was followed for an account whose new blocks are not read any more, -1 for one that never had any; NULL while they are read. All blocks
-- up to the last one that was followed have been read or are in windows. The default is for accounts that a process of the version before adds.
ALTER TABLE activity_accounts ADD COLUMN followed_to BIGINT DEFAULT -1;
UPDATE activity_accounts SET followed_to = NULL;
-- The version of the chain's followed accounts since which the account is one of them, or is not.
ALTER TABLE activity_accounts ADD COLUMN follow_version BIGINT NOT NULL DEFAULT 0;
CREATE INDEX activity_accounts_followed ON activity_accounts (chain_id, asked_at) WHERE followed_to IS NULL;
CREATE INDEX activity_accounts_unfollowed ON activity_accounts (chain_id, asked_at) WHERE followed_to IS NOT NULL;
CREATE INDEX activity_accounts_followed_to ON activity_accounts (chain_id, followed_to) WHERE followed_to IS NOT NULL;
CREATE INDEX activity_accounts_version ON activity_accounts (chain_id, follow_version);
-- Windows of accounts that are not followed rest until they are.
CREATE INDEX activity_windows_due ON activity_windows (chain_id, rests_until);

-- What is known of the accounts of a chain together.
CREATE TABLE activity_following (
    chain_id TEXT   PRIMARY KEY,
    version  BIGINT NOT NULL, -- changes with the followed accounts
    kept     BIGINT NOT NULL  -- how many accounts are kept; counted again every hour
);
INSERT INTO activity_following (chain_id, version, kept) SELECT chain_id, 1, COUNT(*) FROM activity_accounts GROUP BY chain_id;

-- +goose Down
DROP INDEX activity_windows_due;
UPDATE activity_windows SET rests_until = 0;
INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until)
SELECT a.chain_id, a.account, a.followed_to + 1, t.tip, FALSE, 0, 0
FROM activity_accounts a JOIN (SELECT chain_id, MAX(number) AS tip FROM activity_blocks GROUP BY chain_id) AS t ON t.chain_id = a.chain_id
WHERE a.followed_to < t.tip ON CONFLICT (chain_id, account, low) DO NOTHING;
DROP TABLE activity_following;
DROP INDEX activity_accounts_version;
DROP INDEX activity_accounts_followed_to;
DROP INDEX activity_accounts_unfollowed;
DROP INDEX activity_accounts_followed;
ALTER TABLE activity_accounts DROP COLUMN follow_version;
ALTER TABLE activity_accounts DROP COLUMN followed_to;
