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
	Archives map[string]string `yaml:"archives" doc:"URLs of APIs like Etherscan's or Blockscout's by CAIP-2 chain id, asked which old transactions an account has; ${NAME} is taken from the environment" secret:"true"`
	// Followed and Kept bound what strangers can make the index do, and NewAccountsPerHour each of them.
	Followed           int    `yaml:"followed" doc:"accounts of one chain that are followed block by block; of more than that, those that pages watch and those asked for last, and the others' blocks are read when they are asked for again"`
	Kept               int    `yaml:"kept" doc:"accounts of one chain whose histories are kept; when there are more, the one goes that nobody watches and nobody asked for longest"`
	NewAccountsPerHour int    `yaml:"new_accounts_per_hour" doc:"accounts that the index does not have yet and that one caller, which is a project and an address, may ask for within an hour; 0 is no limit"`
	WholeBlocks        uint64 `yaml:"whole_blocks" doc:"how many old blocks are read whole, with native transfers and failures; of more than that only the logs are read"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{KeepFor: 7 * 24 * time.Hour, WholeBlocks: 5_000, Followed: 2_000, Kept: 20_000, NewAccountsPerHour: 600}
}

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
func (c Config) Check() (faults []config.Fault) {
	if c.KeepFor < activeFor {
		faults = append(faults, config.Faultf("keep_for", "it is less than %s", activeFor))
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
	return faults
}
