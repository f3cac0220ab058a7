// Package ens is a gateway's side of the Ethereum Name Service: it reads what a resolver contract asks off its chain (ERC-3668, ENSIP-10),
// spells records as the contract wants them, and signs them for it.
package ens
