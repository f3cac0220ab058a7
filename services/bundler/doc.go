// Package bundler sends calls of smart accounts.
//
//   - A user operation (ERC-4337, EntryPoint v0.7 and v0.8, with an authorization of EIP-7702 or without) is checked against the newest block, stored with
//     its signed transaction, and sent. A killed process loses none and sends none twice.
//   - A refused operation costs nothing: it fails with the code of ERC-7769. Quotas bound the operations of a project and of an account.
//   - The paymaster signs for what its limits allow, and for nothing else (ERC-7677).
//   - Gas includes what rollups charge for data on L1 (package rollup). Keys of executors can be sealed (package seal).
//   - Batches of calls have ids that survive a reload (EIP-5792).
//   - What an account can do on a chain is tried, not guessed.
//
// Operations are sent privately, so validation is not traced (ERC-7562): they are checked again before each replacement, and accounts whose operations
// fail on chain are refused.
package bundler
