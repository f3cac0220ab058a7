// Package universal asks the Ethereum Name Service where names lead and what they say, and which name an account has, through the universal
// resolver of the chain where the service lives. That contract finds the resolver of a name, and makes sure that an account's name leads back.
//
// A resolver may send its callers to servers off the chain (ERC-3668). Whoever has a name chooses them, so that they are strangers:
//
//   - They are asked by the careful fetcher only, which visits no private address, and waits and reads within bounds.
//   - One question costs a few look-ups at most, however the contracts and servers send us around, and all of them share one deadline.
//   - What they say goes back to the contract that asked, which knows how to verify it; nothing here believes it.
package universal
