// Package access lists who may move the assets of an account without asking it again.
//
// It serves hawser.access.v1.AccessService: ListApprovals (`GET /v1/account/{address}/approvals`). It has no store.
//
//   - On EVM chains the candidates come from the index of the activity service, which reads the newest block before, at most once a second. What an
//     approval allows now is read from the chain, several hundred calls in a request. One that is used up, taken back or expired is not listed.
//   - Any contract can emit an event that names an account, and return any allowance. So approvals of a contract that no token list has are candidates
//     only if the account itself sent a transaction, or a user operation, in which it approved a spender of that contract or received its tokens. An unlisted
//     token that others sent, and that was approved by signatures alone (ERC-2612), is therefore missing: the index does not see what was signed if the
//     permit is a call inside the transaction of another.
//   - A contract that fails, or that does not return a balance, costs only its own approvals.
//   - What is at risk is what the spender could move now: at most the balance, and with Permit2 at most what Permit2 may move. Its value is for display,
//     with the prices of the balances service. A token whose name imitates a listed one has none.
//   - Names of spenders, and of the code that an account delegates to (EIP-7702), come from a table of this repository (package contracts), not from
//     the contracts.
//   - On Solana the token accounts tell their delegates themselves; there is no index.
package access
