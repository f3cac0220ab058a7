// Package gateway is the suite's single door.
package gateway
