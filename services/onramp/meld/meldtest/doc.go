// Package meldtest is a test server of Meld that responds, validates and signs as documented. A call without the key, the version or a
// required field fails the test.
package meldtest
