package auth

import (
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration under `auth`.
type Config struct {
	// SessionLifetime bounds a session; it ends earlier if its message expires.
	SessionLifetime time.Duration `yaml:"session_lifetime" doc:"how long a visitor stays signed in at most"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{SessionLifetime: 24 * time.Hour} }

// Check reports a lifetime out of range.
func (c Config) Check() []config.Fault {
	if c.SessionLifetime < time.Minute || c.SessionLifetime > 90*24*time.Hour {
		return []config.Fault{config.Faultf("session_lifetime", "it is not between a minute and 90 days")}
	}
	return nil
}
