// Package account holds the keys of accounts of EVM chains whose owner is this process, and signs with them.
package account
