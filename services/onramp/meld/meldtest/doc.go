// Package meldtest is Meld for tests: a server that answers, demands and signs as the documentation says. What it holds a caller to fails the
// test: key and version, and all fields that a call needs.
package meldtest
