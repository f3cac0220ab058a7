package wallet

import (
	"path/filepath"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/removal"
	"github.com/hawser-dev/hawser/services/wallet/social"
)

// Config is the configuration under `wallet`.
type Config struct {
	// Recovery says whether a login alone restores a wallet.
	Recovery string `yaml:"recovery" doc:"factor: a wallet opens on a new device by a passkey or a password only; login: by the login alone, for which the server has both halves of the key and the operator could open wallets"`
	// LoginsPerEmail and LoginsPerAddress bound the logins of an hour.
	LoginsPerEmail   int `yaml:"logins_per_email" doc:"logins by email that one email can start in an hour from one device that its user knows, and from the other devices of one network; from those of all networks four times as many; 0 is no limit"`
	LoginsPerAddress int `yaml:"logins_per_address" doc:"logins by email that one IP address, or one /64 of IPv6, can start in an hour; 0 is no limit"`
	// Key is the key encryption key, and PreviousKeys those before it.
	Key          seal.Config   `yaml:"key"`
	PreviousKeys []seal.Config `yaml:"previous_keys" doc:"keys that were used before, until hawser wallet rewrap has replaced them, each as wallet.key"`
	Mail         mail.Config   `yaml:"mail"`
	Social       social.Config `yaml:"social"`
	// FarcasterRelay is the address of the relay of Farcaster logins.
	FarcasterRelay string `yaml:"farcaster_relay" doc:"address of the relay of Farcaster logins, such as https://relay.farcaster.xyz, for which chains has to serve wallet.farcaster_network; empty: there is no login by Farcaster"`
	// FarcasterNetwork is the CAIP-2 id of the chain of the registries of Farcaster.
	FarcasterNetwork string `yaml:"farcaster_network" doc:"network with the registries of Farcaster, which its messages are for, by CAIP-2 id; another one than OP Mainnet is for development (chains.dev) only"`

	// FrameOrigin is the origin of the frame, for links in mails.
	FrameOrigin string `yaml:"-"`
	// DataDir is the directory for files of the process.
	DataDir string `yaml:"-"`
	// Removals is where the list of removals is; its zero value stands for DataDir.
	Removals removal.Folder `yaml:"-"`
	// Development allows settings for development.
	Development bool `yaml:"-"`
}

// The values of Config.Recovery.
const (
	recoveryByFactor = "factor"
	recoveryByLogin  = "login"
)

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		Recovery: recoveryByFactor, LoginsPerEmail: 5, LoginsPerAddress: 20, Key: seal.Config{Provider: seal.Age}, Mail: mail.DefaultConfig(),
		FarcasterNetwork: farcaster.Chain,
	}
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.Recovery != recoveryByFactor && c.Recovery != recoveryByLogin {
		faults = append(faults, config.Faultf("recovery", "it is not factor or login"))
	}
	if c.LoginsPerEmail < 0 || c.LoginsPerAddress < 0 {
		faults = append(faults, config.Faultf("logins_per_email", "it or logins_per_address is below 0"))
	}
	if chain, err := caip.ParseChain(c.FarcasterNetwork); err != nil || chain.Namespace != siwe.EIP155 {
		faults = append(faults, config.Faultf("farcaster_network", "it is not the CAIP-2 id of an EVM network"))
	}
	return faults
}

// CheckDevelopment reports settings that are for development, unless this is one.
func (c Config) CheckDevelopment() (faults []config.Fault) {
	if c.Development {
		return nil
	}
	if c.FarcasterNetwork != farcaster.Chain {
		faults = append(faults, config.Faultf("farcaster_network", "it is not %s, and chains.dev is not set", farcaster.Chain))
	}
	return append(faults, c.Social.CheckDevelopment()...)
}

// limits returns the limits per hour.
func (c Config) limits() challenge.Limits {
	return challenge.Limits{PerEmail: c.LoginsPerEmail, PerAddress: c.LoginsPerAddress}
}

// removals returns where the list of removals is.
func (c Config) removals() removal.Folder {
	if c.Removals.Own == "" {
		return removal.Folder{Own: c.DataDir}
	}
	return c.Removals
}

// Keys returns the key encryption keys.
func (c Config) Keys() seal.Keys {
	return seal.Keys{Current: c.Key, Previous: c.PreviousKeys, File: filepath.Join(c.DataDir, "wallet.key")}
}
