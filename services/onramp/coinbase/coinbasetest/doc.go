// Package coinbasetest is Coinbase Onramp for tests: a server that answers, demands and signs as the documentation says. What it holds a
// caller to fails the test: a token for each call, once, and all fields that a call needs.
package coinbasetest
