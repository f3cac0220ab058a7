// Package wire holds what the provider packages share: an HTTP client, decimals in JSON, names of payment methods, limits, and a cache of
// lists.
package wire
