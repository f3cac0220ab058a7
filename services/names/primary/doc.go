// Package primary asks the Ethereum Name Service by which name an account wants to be shown (ENSIP-19), through the universal resolver of the
// chain where the service lives. That contract makes sure the name leads back to the account. Only what the chain itself knows is found: a
// resolver that sends its callers off the chain (ERC-3668) is not followed, since accounts would decide then which servers we call.
package primary
