// Package ens answers off-chain lookups of resolver contracts of the Ethereum Name Service (ERC-3668, ENSIP-10): it decodes their calls, encodes
// records and signs them.
package ens
