package access

import (
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration under `access`.
type Config struct {
	Timeout time.Duration `yaml:"timeout" doc:"longest time to list the approvals of one account"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{Timeout: 15 * time.Second} }

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.Timeout <= 0 {
		faults = append(faults, config.Faultf("timeout", "it is not above 0"))
	}
	return faults
}
