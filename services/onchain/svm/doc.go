// Package svm reads accounts of Solana: tokens of both token programs, their mints and metadata, and price accounts.
//
// Layouts are parsed from the bytes of accounts; a truncated or malformed layout is an error. Requests go through a
// [chainclient.Transport] and read the confirmed state. Package pool parses the accounts of exchanges.
package svm
