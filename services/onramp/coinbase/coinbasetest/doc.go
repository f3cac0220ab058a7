// Package coinbasetest is a test server of Coinbase Onramp that responds, validates and signs as documented. A call
// without its own token or a required field fails the test.
package coinbasetest
