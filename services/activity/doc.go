// Package activity tells what happened to an account, from an index that it keeps in SQL.
//
// An account is seen when somebody asks for it. From then on every new block of its chain is read for it, whole, so that native transfers
// and failures are known as well as logs; a block that a reorganisation orphans takes its rows along. The blocks before are read in
// windows, newest first, in the background: a short chain whole, a long one by its logs, which native transfers do not leave.
// Native transfers made inside contracts are known of no block. Coverage says how far each of these reaches. An [Archive] may say where the
// old transactions of a long chain are; what they are is read from nodes all the same.
//
// What an account bought of an on-ramp is no part of the index: it is asked of who keeps the orders.
//
// Each block is one transaction with its rows, its events and what is left to read, so that a process may die at any moment.
package activity
