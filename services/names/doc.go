// Package names registers human-readable names of accounts, such as `alice.hawser.id`, below zones of the operator.
//
// It serves hawser.names.v1.NamesService (`/v1/profile/…`, `/v1/identity/…`, `/v1/resolve/…`, `/v1/ens/…`) and
// publishes hawser.names.v1.NameRegistered and NameChanged in the transaction of the change.
//
//   - Every change is a signed text that describes the change. The text is verified byte for byte, is valid for a few
//     minutes, and can be used once: the history of changes also records which texts were used.
//   - A name belongs to the account that registered it, or to the one it was transferred to. Its addresses are
//     independent of that.
//   - An account that signs with its own key is the same on every chain. The signature of a contract is verified on its
//     own chain (ERC-1271, ERC-6492), and it owns the name only there.
//   - An account is shown by a name only if it signed for the name and the name resolves to it, so a name cannot be
//     forced on an account.
//   - Avatars are loaded by the nfts service (`/v1/identity/{address}/avatar`); that of an NFT only while the account
//     owns it.
//   - Other software resolves names through a contract that calls this service (ERC-3668); answers are signed by
//     package ens.
//   - ENS names are resolved by package resolver, which follows off-chain lookups to the configured hosts only.
//   - Names of Solana (`.sns`, `.sol`) are resolved by package sns, which refuses addresses that the chain's records do
//     not confirm.
//   - The database guarantees that names are unique, so any number of replicas may register names concurrently.
package names
