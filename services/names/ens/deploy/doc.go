// Package deploy deploys the resolver contract of an operator's zone, and makes it the resolver of the zone in the
// registry. The contract is packages/devnet/contracts/OffchainResolver.sol, and resolver.hex is its creation code; a
// test there checks that they agree.
package deploy
