// Package bundler sends calls of smart accounts.
//
//   - A user operation (ERC-4337, EntryPoint v0.7 and v0.8, with an authorization of EIP-7702 or without) is checked
//     against the newest block, stored with its signed transaction, and sent. If the process is killed, no operation is
//     lost or executed twice.
//   - A refused operation costs nothing: it fails with the code of ERC-7769. Quotas bound the operations of a project
//     and of an account, and what operations that fail in a block cost the executors.
//   - The paymaster signs only for operations that cost what this bundler measures, within its limits (ERC-7677).
//   - Gas includes what networks charge for data (package fees). Keys of executors can be sealed (package seal).
//   - An account's authorization that ends its delegation is sent by an executor, within the limits of the paymaster, because no operation can end the code that
//     verifies it.
//   - Batches of calls have ids that survive a reload (EIP-5792).
//   - The capabilities of accounts on a chain are determined by trying them.
//
// Validation is not traced (ERC-7562), so only known code validates: accounts of the Delegation Framework, and what the configuration lists. Operations
// are checked again before each replacement, and accounts whose operations fail on chain are refused.
package bundler
