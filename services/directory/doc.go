// Package directory lists wallets that a page can offer, with what is needed to open or install them.
//
// The list is wallets.yaml, facts with their sources, unless the operator configures a file of the same form. It is read once at start, and every
// request is answered from memory.
package directory
