// Package accounts remembers the state of callers in bounded memory, for limiters that refuse what is over a rate.
//
// A [Table] has an account for each caller as long as there is room. A full table forgets only accounts that are idle, which are those whose state is that of
// a new caller, so nobody gains by being forgotten. A [Sketch] counts all callers without an account in a fixed number of cells, and never counts less than
// they used.
package accounts
