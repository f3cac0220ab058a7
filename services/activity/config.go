package activity

import (
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is what an operator sets under `activity`.
type Config struct {
	KeepFor     time.Duration `yaml:"keep_for" doc:"how long the history of an account is kept that nobody asks for"`
	WholeBlocks uint64        `yaml:"whole_blocks" doc:"how many old blocks are read whole, with native transfers and failures; of more than that only the logs are read"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config { return Config{KeepFor: 7 * 24 * time.Hour, WholeBlocks: 5_000} }

// Check refuses to forget accounts that are in use.
func (c Config) Check() []config.Fault {
	if c.KeepFor < activeFor {
		return []config.Fault{config.Faultf("keep_for", "it is less than %s", activeFor)}
	}
	return nil
}
