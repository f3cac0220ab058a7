// Package ramptest holds every provider to what package ramp promises of it.
package ramptest
