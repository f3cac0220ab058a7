package wallet

import (
	"path/filepath"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/mail"
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
	FarcasterRelay string `yaml:"farcaster_relay" doc:"address of the relay of Farcaster logins, such as https://relay.farcaster.xyz, for which chains has to serve eip155:10; empty: there is no login by Farcaster"`
	// Inbox is the address of the SMTP server for development.
	Inbox string `yaml:"inbox" doc:"for development (chains.dev) only: address on this machine of an SMTP server that shows all mails at /dev/inbox, such as 127.0.0.1:0, beside which all social providers (/dev/idp) and Farcaster (/dev/farcaster) are made up; empty for none"`

	// PublicURL is the public URL of the gateway, for the providers for development.
	PublicURL string `yaml:"-"`
	// FrameOrigin is the origin of the frame, for links in mails.
	FrameOrigin string `yaml:"-"`
	// DataDir is the directory for files of the process.
	DataDir string `yaml:"-"`
	// Development allows the servers for development.
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
	if c.Inbox != "" && c.Mail.Enabled() {
		faults = append(faults, config.Faultf("inbox", "wallet.mail.host is set as well"))
	}
	return faults
}

// limits returns the limits per hour.
func (c Config) limits() challenge.Limits {
	return challenge.Limits{PerEmail: c.LoginsPerEmail, PerAddress: c.LoginsPerAddress}
}

// Keys returns the key encryption keys.
func (c Config) Keys() seal.Keys {
	return seal.Keys{Current: c.Key, Previous: c.PreviousKeys, File: filepath.Join(c.DataDir, "wallet.key")}
}
