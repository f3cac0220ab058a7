// Package bustest is the conformance suite of the bus, and opens buses for tests.
package bustest
