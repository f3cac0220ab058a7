// Package sns resolves names of Solana accounts, and finds the primary name of an account, by reading accounts of the
// chain.
//
// There are two namespaces, each with its own registry. Both have names of the same form, which may belong to different
// accounts:
//
//   - `name.sns` and `sub.name.sns` are accounts of the SPL Name Service. Until October 2026 these names were written
//     `name.sol`.
//   - `name.sol` is a record of the Solana Record Service.
//
// Payments cannot be undone, so a name resolves only if every rule confirms the address:
//
//   - The rules of SNS-IP 5 decide on `.sns`: the holder of the NFT if the name is wrapped in one, otherwise the name's
//     SOL record, otherwise its owner.
//   - A SOL record must be verified by its present owner and, for version 2, by the destination. A name whose record is
//     stale or not verified resolves to nothing, although SNS-IP 5 would resolve it to the owner.
//   - A name resolves to a wallet, never to the account of a program, such as the escrow of a marketplace.
//   - `name.sol` resolves only while `name.sns` resolves to the same account: many users still use it for the old name.
package sns
