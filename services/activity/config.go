package activity

import (
	"math"
	"time"

	"github.com/hawser-dev/hawser/services/activity/indexer"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration under `activity`.
type Config struct {
	KeepFor time.Duration `yaml:"keep_for" doc:"how long the history of an account is kept after its last request"`
	// Archives are optional. Without an archive, old native transfers of a long chain are not known, and the page says
	// so.
	Archives map[string]string `yaml:"archives" doc:"URLs of APIs like Etherscan's or Blockscout's by CAIP-2 chain id, which list the old transactions of an account; ${NAME} is taken from the environment" secret:"true"`
	// Followed and Kept bound the work that callers can cause, NewAccountsPerHour that of each caller.
	Followed           int    `yaml:"followed" doc:"accounts of one chain that are followed block by block; if there are more, those that pages watch and those with the latest requests are followed, and the blocks of the others are read at their next request"`
	Kept               int    `yaml:"kept" doc:"accounts of one chain whose histories are kept; if there are more, the ones that are not watched and have the oldest requests are dropped"`
	NewAccountsPerHour int    `yaml:"new_accounts_per_hour" doc:"accounts outside the index that one caller, which is a project and an address, may request within an hour; 0 is no limit"`
	OldCallsPerHour    int    `yaml:"old_calls_per_hour" doc:"calls to the nodes of one chain within an hour that read old blocks, of all callers; a quarter of them is kept for callers that used less than an eighth of theirs; what is over waits; 0 is no limit"`
	OldCallsPerCaller  int    `yaml:"old_calls_per_caller" doc:"the same for the accounts that callers of one site asked for: one IPv4 address, or a /48 of IPv6; 0 is no limit"`
	WholeBlocks        uint64 `yaml:"whole_blocks" doc:"how many old blocks are read whole, with native transfers and failures; of more than that only the logs are read"`
}

// DefaultConfig returns the defaults.
func DefaultConfig() Config {
	return Config{KeepFor: 7 * 24 * time.Hour, WholeBlocks: 5_000, Followed: 2_000, Kept: 20_000, NewAccountsPerHour: 600, OldCallsPerHour: 200_000, OldCallsPerCaller: 50_000}
}

// wholeBlocks returns how many old blocks of a chain are searched for native transfers: all of them if an archive has
// the chain.
func (c Config) wholeBlocks(archive indexer.Archive) func(chainID string) uint64 {
	return func(chainID string) uint64 {
		if archive.Covers(chainID) {
			return math.MaxInt64
		}
		return c.WholeBlocks
	}
}

// Check returns the faults of the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.KeepFor < indexer.ActiveFor {
		faults = append(faults, config.Faultf("keep_for", "it is less than %s", indexer.ActiveFor))
	}
	if c.Followed < 1 {
		faults = append(faults, config.Faultf("followed", "it is less than 1"))
	}
	if c.Kept < c.Followed {
		faults = append(faults, config.Faultf("kept", "it is less than followed"))
	}
	if c.NewAccountsPerHour < 0 {
		faults = append(faults, config.Faultf("new_accounts_per_hour", "it is below 0"))
	}
	if c.OldCallsPerHour < 0 {
		faults = append(faults, config.Faultf("old_calls_per_hour", "it is below 0"))
	}
	if c.OldCallsPerCaller < 0 {
		faults = append(faults, config.Faultf("old_calls_per_caller", "it is below 0"))
	}
	return faults
}
