// Package directory lists wallets that a page can offer, with what is needed to open or install them.
//
// The list is wallets.yaml, which has facts with their sources, unless the operator configures a file of the same form.
// It is read once at the start, and requests are answered from memory.
package directory
