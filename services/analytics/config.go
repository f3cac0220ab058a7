package analytics

import "github.com/hawser-dev/hawser/services/platform/config"

// Config is the configuration under `analytics`.
type Config struct {
	// Enabled counts events.
	Enabled bool `yaml:"enabled" doc:"count what visitors do in the modal, by project, day and event; nothing about a visitor is stored"`
	// KeepDays is how long counts are stored.
	KeepDays int `yaml:"keep_days" doc:"days for which the counts are kept"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{Enabled: true, KeepDays: 400} }

// Check reports a number of days out of range.
func (c Config) Check() []config.Fault {
	if c.KeepDays < 1 || c.KeepDays > 3650 {
		return []config.Fault{config.Faultf("keep_days", "it is not between 1 and 3650")}
	}
	return nil
}
