// Package transaction writes and signs transactions of EVM chains (EIP-1559, type 2), for accounts whose key this process holds.
package transaction
