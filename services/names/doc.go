// Package names gives accounts names for people, such as `alice.hawser.id`, below zones of the operator's own.
//
// It answers hawser.names.v1.NamesService (`/v1/profile/…`, `/v1/identity/…`, `/v1/resolve/…`, `/v1/ens/…`) and tells hawser.names.v1.NameRegistered and NameChanged in the
// transaction of the change.
//
//   - Whoever changes a name signs a text that says what is to change. The text is verified byte for byte, counts for a few minutes, and
//     counts once: the history of changes is also the record of the texts that were used.
//   - A name belongs to the account that registered it, or to the one it was given to. Where it leads is another matter: setting an address
//     gives nobody a right to the name.
//   - An account that signs with its own key is the same on every chain. A contract is asked on its own chain (ERC-1271, ERC-6492), and is
//     the owner there only.
//   - An account is shown by a name only if it signed for the name, and the name leads back to it: nobody is given a name unasked.
//   - The picture that a name chose is shown through the nfts service, which fetches it carefully (`/v1/identity/{address}/avatar`); that of an
//     NFT counts while it is the account's.
//   - Everyone else resolves names through a contract that asks here (ERC-3668); answers are signed for it, by package ens.
//   - Names of others resolve through the Ethereum Name Service, by package universal, which goes where their resolvers send it, carefully.
//   - Uniqueness lives in the database, so that any number of replicas may register names at once.
package names
