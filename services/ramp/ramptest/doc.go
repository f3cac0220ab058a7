// Package ramptest is the test suite of providers.
package ramptest
