// Package deploy puts the resolver contract of an operator's zone on a chain, and makes it the zone's there. The contract is
// packages/devnet/contracts/OffchainResolver.sol, and resolver.hex its creation code; a test there holds the two together.
package deploy
