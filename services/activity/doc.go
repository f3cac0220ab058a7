// Package activity serves the history of an account: on EVM chains from an index in SQL, on Solana from nodes, see
// package solana.
//
// An EVM account is tracked after its first request. From then on each new block of its chain is read whole, which
// finds native transfers and failed transactions as well as logs; a reorg deletes the rows of the orphaned blocks.
// Older blocks are read in the background, newest first: whole on a short chain, and by their logs, which miss native
// transfers, on a long one. Coverage says how far each kind reaches.
//
// Native transfers inside transactions are found where they are logged (EIP-7708), also in blocks that are read by their logs. On other chains whole
// blocks are searched for user operations (ERC-4337) and for batches of accounts that call themselves (EIP-7702), see package calls. They are trusted
// for the account that signed them. For a recipient they count if its balance rose accordingly in the block, because the code of an account need not
// do what its calldata says; a node that does not have the balances of that block any more leaves the recipient without the row. The row of a user
// operation has its sender, its result and what the sender paid for gas. Where nodes trace blocks (chains.traces), calls that moved native tokens are read from
// the traces instead, so that what contracts pay out is found too. Without logs and traces it is not.
//
// Approvals, also those of Permit2, are kept apart from rows, one record for each event. They are candidates only: what an approval allows now is on the
// chain. Accounts that were tracked before approvals were kept have the logs of their blocks read once more (migration 7); a row that was read whole
// stays as it is.
//
// An archive ([Config].Archives) lists the old transactions of a long chain; their content is read from nodes.
//
// Purchases from on-ramps are not in the index. They are read from the service that keeps the orders.
package activity
