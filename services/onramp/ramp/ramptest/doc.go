// Package ramptest is the conformance suite of [ramp.Provider].
package ramptest
