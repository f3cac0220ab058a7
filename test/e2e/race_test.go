//go:build race

package e2e

// raceEnabled is whether the tests were compiled with the race detector, so that the shared suite of one process is as well.
const raceEnabled = true
