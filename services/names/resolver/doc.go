// Package resolver resolves names of the Ethereum Name Service and primary names of accounts, through the universal resolver contract of a chain.
// That contract finds the resolver of a name, and verifies that a primary name resolves back to its account.
//
// A resolver may redirect its callers to servers off the chain (ERC-3668). The owner of a name chooses them, so they are not trusted:
//
//   - They are requested by package fetch only, which refuses private addresses and bounds time and size.
//   - One resolution makes a few requests at most, however it is redirected, and all of them share one deadline.
//   - Their answers go back to the contract that redirected, which verifies them.
package resolver
