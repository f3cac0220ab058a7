// Package preview describes what a request to sign would do, before it is signed.
//
//   - Calls are simulated on the newest block of the chain's nodes: in the header of the next block, with the fees of the
//     transaction. The changes of the account's balances, and the rights of others to its tokens, are read from the
//     events of the simulation, and from the balances before and after it if these differ from the events.
//   - Calls of contracts are simulated again with another header and other fees. Effects that differ are a danger.
//   - If the nodes cannot simulate, the arguments of the calls are decoded, and the preview is marked as not simulated.
//   - Transactions of Solana are simulated too, see package solana.
//   - Typed data and messages are decoded: permits, Permit2, delegations, orders of Seaport and CoW Protocol, transactions
//     of a Safe, meta-transactions, requests to forwarders, actions of other services, sign-ins.
//   - A request by which the account can lose its assets has a warning of the highest severity. What counts is the effect:
//     the share of each asset that leaves, and what an approval can take. Nothing calms a warning but half of the value
//     in return, at known prices, through contracts that are in a list.
//   - Descriptors (ERC-7730) say in words what a request asks, see package clearsign. Words that the effects contradict are left out, with a warning.
//
// Text of contracts is shown without control characters. The service stores nothing.
package preview
