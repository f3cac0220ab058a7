// Package wire has the common code of the provider packages: an HTTP client, decimals in JSON, names of payment
// methods, limits, and a cache of lists.
package wire
