package activity

import (
	"math"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is what an operator sets under `activity`.
type Config struct {
	KeepFor time.Duration `yaml:"keep_for" doc:"how long the history of an account is kept that nobody asks for"`
	// Archives are optional: without one, native transfers of a long chain's past are not known, and the page says so.
	Archives    map[string]string `yaml:"archives" doc:"URLs of APIs like Etherscan's or Blockscout's by CAIP-2 chain id, asked which old transactions an account has; ${NAME} is taken from the environment" secret:"true"`
	WholeBlocks uint64            `yaml:"whole_blocks" doc:"how many old blocks are read whole, with native transfers and failures; of more than that only the logs are read"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config { return Config{KeepFor: 7 * 24 * time.Hour, WholeBlocks: 5_000} }

// wholeBlocks says of how many old blocks of a chain native transfers are learned: of all, where an archive knows them.
func (c Config) wholeBlocks(archive Archive) func(chainID string) uint64 {
	return func(chainID string) uint64 {
		if archive.Covers(chainID) {
			return math.MaxInt64
		}
		return c.WholeBlocks
	}
}

// Check refuses to forget accounts that are in use.
func (c Config) Check() []config.Fault {
	if c.KeepFor < activeFor {
		return []config.Fault{config.Faultf("keep_for", "it is less than %s", activeFor)}
	}
	return nil
}
