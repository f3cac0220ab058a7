// Package preview says what a request to sign would do, before it is signed.
//
//   - Calls are simulated on the newest block of the chain's nodes. What leaves and reaches the account, and who may take from it afterwards, is
//     read from the events of the simulation, and from balances before and after it where they differ.
//   - Where the nodes cannot simulate, the arguments of the calls are decoded, and the preview says that it is not simulated.
//   - Transactions of Solana are simulated too, see package solana.
//   - Typed data and messages are decoded: permits, Permit2, delegations, orders, sign-ins.
//   - A request by which the account can lose what it owns has a warning of the highest severity.
//
// Text of contracts is shown without control characters. The service stores nothing.
package preview
