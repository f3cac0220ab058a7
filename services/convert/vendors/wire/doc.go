// Package wire reads the scalars of the vendors' JSON, each of which has its own habits: amounts as decimal text, as numbers or as hex. What
// is read is bounded.
package wire
