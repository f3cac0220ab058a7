// Package resolver resolves names of the Ethereum Name Service and primary names of accounts, through the universal
// resolver contract of a chain. That contract finds the resolver of a name, and verifies that a primary name resolves
// back to its account.
//
// A resolver may redirect its callers to servers off the chain (ERC-3668). The owner of a name chooses them, so they
// are not trusted:
//
//   - Only package fetch sends requests to them, which refuses private addresses and bounds time and size.
//   - One resolution makes a bounded number of requests, whatever the redirects, with one deadline for all of them.
//   - Their answers are passed to the contract that redirected, which verifies them.
package resolver
