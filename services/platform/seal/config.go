package seal

import (
	"context"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config names one key encryption key.
type Config struct {
	// Provider is where the key is.
	Provider string `yaml:"provider" doc:"where the key is that encrypts the server's halves of wallets' keys: age (a file), aws (AWS KMS), gcp (Google Cloud KMS), or vault (transit engine of Vault or OpenBao)"`
	// File is the path of an age identity, or of a token of Vault.
	File string `yaml:"file" doc:"age: file with an age identity (age-keygen), which only this process should be able to read; empty: wallet.key in data_dir, which the first start makes. vault: file with a token; empty: VAULT_TOKEN"`
	// Name is that of the key.
	Name string `yaml:"name" doc:"aws: ARN of the key; gcp: resource name of the key; vault: name of the key, of a type with associated data"`
	// Address is that of the service.
	Address string `yaml:"address" doc:"vault: address of the engine, such as https://vault:8200/v1/transit; aws and gcp: another address than the public one"`
}

// The values of Config.Provider.
const (
	Age   = "age"
	AWS   = "aws"
	GCP   = "gcp"
	Vault = "vault"
)

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	switch c.Provider {
	case Age:
	case AWS, GCP, Vault:
		if c.Name == "" {
			faults = append(faults, config.Faultf("name", "it is empty"))
		}
		if c.Provider == Vault && c.Address == "" {
			faults = append(faults, config.Faultf("address", "it is empty"))
		}
	default:
		faults = append(faults, config.Faultf("provider", "it is not age, aws, gcp or vault"))
	}
	return faults
}

// Open returns the key.
func (c Config) Open(ctx context.Context) (KEK, error) {
	switch c.Provider {
	case AWS:
		return OpenAWS(ctx, c.Address, c.Name)
	case GCP:
		return OpenGCP(ctx, c.Address, c.Name)
	case Vault:
		return OpenVault(c.Address, c.Name, c.File), nil
	}
	return OpenAge(c.File)
}
