package pools

import (
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is what an operator sets.
type Config struct {
	// Snapshots is a folder, created when it is missing.
	Snapshots string        `yaml:"snapshots" doc:"folder where what is known of pools is kept over a restart; empty: nowhere"`
	MaxPools  int           `yaml:"max_pools" doc:"how many pools are kept a chain; beyond that the shallowest are let go of"`
	MaxAge    time.Duration `yaml:"max_age" doc:"how old the last state of a chain may be that is still answered with while its nodes are out of reach"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config { return Config{MaxPools: 25_000, MaxAge: 2 * time.Minute} }

// leastPools is what the hubs of a chain may have among themselves.
const leastPools = 500

// Check refuses what would leave no room for hubs, or no time for one look at a chain.
func (c Config) Check() []config.Fault {
	var faults []config.Fault
	if c.MaxPools < leastPools {
		faults = append(faults, config.Faultf("max_pools", "it is less than %d", leastPools))
	}
	if c.MaxAge < callTimeout {
		faults = append(faults, config.Faultf("max_age", "it is less than %s", callTimeout))
	}
	return faults
}
