package seal

import (
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config names one key encryption key.
type Config struct {
	// Provider is where the key is.
	Provider string `yaml:"provider" doc:"where the key is that encrypts the server's halves of wallets' keys: age, a file"`
	// File is the path of an age identity.
	File string `yaml:"file" doc:"file with an age identity (age-keygen), which only this process should be able to read; empty: wallet.key in data_dir, which the first start makes"`
}

// Age is the provider of keys in a file.
const Age = "age"

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.Provider != Age {
		faults = append(faults, config.Faultf("provider", "it is not age"))
	}
	return faults
}

// Open returns the key.
func (c Config) Open() (KEK, error) { return OpenAge(c.File) }
