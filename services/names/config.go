package names

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// Config is the configuration under `names`.
type Config struct {
	// Zones are the parent domains of names, such as hawser.id.
	Zones []string `yaml:"zones" doc:"zones that names are registered below, two labels each, such as hawser.id; the first is the default"`
	// Past and Ahead bound how far the timestamp of a signed text may be from now.
	Past  time.Duration `yaml:"past" doc:"longest time between the time in a signed text and its arrival: what a person needs to approve it"`
	Ahead time.Duration `yaml:"ahead" doc:"how far the signer's clock may be ahead of this one"`
	// BareJSON accepts signed JSON in addition to sentences.
	BareJSON bool `yaml:"bare_json" doc:"accept signed texts that are JSON, as clients of other services send them: they name no installation, so one that was signed for another installation is accepted here too"`
	// Installation is the name that signed sentences must contain; if it is empty, one is derived from the signing key.
	Installation string `yaml:"-"`
	// Reserved are labels that cannot be registered.
	Reserved []string `yaml:"reserved" doc:"first labels that cannot be registered, nor labels that look like them"`
	// ChangesPerHour limits the changes of one account.
	ChangesPerHour int `yaml:"changes_per_hour" doc:"how many names one account may register or change within an hour; 0 is no limit"`
	// RegistrationsPerHour limits the registrations of one caller, for all accounts together.
	RegistrationsPerHour int `yaml:"registrations_per_hour" doc:"how many names one caller, which is a project and an address, may try to register within an hour, by whichever accounts; 0 is no limit"`
	// ENS configures the Ethereum Name Service in both directions.
	ENS ENSConfig `yaml:"ens"`
	// Solana configures names of Solana accounts.
	Solana SolanaConfig `yaml:"solana"`
}

// SolanaConfig configures where names of Solana accounts are resolved.
type SolanaConfig struct {
	// Chain is empty to disable such names.
	Chain string `yaml:"chain" doc:"CAIP-2 id of the Solana chain on which names that end in .sns and .sol are looked up; if it is empty, or has no node, there are no look-ups"`
}

// DefaultSolanaConfig returns the default configuration: the main network.
func DefaultSolanaConfig() SolanaConfig {
	return SolanaConfig{Chain: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"}
}

// Check reports what is wrong with the configuration.
func (c SolanaConfig) Check() (faults []config.Fault) {
	if chain, err := caip.ParseChain(c.Chain); c.Chain != "" && (err != nil || chain.Namespace != "solana") {
		faults = append(faults, config.Faultf("chain", "it is no CAIP-2 id of Solana, such as solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"))
	}
	return faults
}

// Rules returns the settings of the registry.
func (c Config) Rules() registry.Rules {
	return registry.Rules{Zones: c.Zones, Reserved: c.Reserved, Past: c.Past, Ahead: c.Ahead, Installation: c.Installation, BareJSON: c.BareJSON}
}

// ENSConfig configures how off-chain lookups are signed, and where names of accounts are resolved.
type ENSConfig struct {
	// Keys are private keys; the last one is used for signing.
	Keys []string `yaml:"keys" doc:"private keys of which the last signs: 64 hex digits each, or file: and the path of a file with them; empty for one that is made and kept in the database" secret:"true"`
	// Lifetime is how long a signed answer is valid.
	Lifetime time.Duration `yaml:"lifetime" doc:"how long a signed answer is valid"`
	// Chain and UniversalResolver are the chain and the contract of the resolver; an empty address disables ENS.
	Chain             string `yaml:"chain" doc:"CAIP-2 id of the chain on which ENS names of accounts are looked up; without a node for it there are no look-ups"`
	UniversalResolver string `yaml:"universal_resolver" doc:"that chain's universal resolver of ENS, an address; empty: no names are looked up"`
	// Hosts are the hosts to which resolvers may redirect off-chain lookups (ERC-3668).
	Hosts []string `yaml:"hosts" doc:"hosts that ENS resolvers may send look-ups to (ERC-3668), each with those below it; \"*\" is every public host"`
	// AllowPrivate allows private addresses and any port for such lookups.
	AllowPrivate bool `yaml:"allow_private" doc:"allow look-ups at private addresses and any port: for development only, because anybody's name could then cause requests in this network"`
}

// DefaultENSConfig returns the default configuration.
func DefaultENSConfig() ENSConfig {
	return ENSConfig{Lifetime: 5 * time.Minute, Chain: "eip155:1", UniversalResolver: "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe"}
}

// Check reports what is wrong with the configuration.
func (c ENSConfig) Check() (faults []config.Fault) {
	for i, text := range c.Keys {
		if _, err := ens.ParseKey(text); err != nil && !strings.HasPrefix(text, keyFile) {
			faults = append(faults, config.Faultf("keys["+strconv.Itoa(i)+"]", "it is neither 64 hex digits nor file: and a path"))
		}
	}
	if c.Lifetime < 10*time.Second || c.Lifetime > 24*time.Hour {
		faults = append(faults, config.Faultf("lifetime", "it is not between 10 seconds and a day"))
	}
	if _, err := evm.ParseAddress(c.UniversalResolver); err != nil && c.UniversalResolver != "" {
		faults = append(faults, config.Faultf("universal_resolver", "it is not 0x and 40 hex digits"))
	}
	for i, host := range c.Hosts {
		if fetch.CheckHost(host) != nil {
			faults = append(faults, config.Faultf("hosts["+strconv.Itoa(i)+"]", "it is neither a public host, such as example.org, nor *"))
		}
	}
	if _, err := caip.ParseChain(c.Chain); err != nil && c.UniversalResolver != "" {
		faults = append(faults, config.Faultf("chain", "it is no CAIP-2 id, such as eip155:1"))
	}
	return faults
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		Zones: []string{"hawser.id"}, Past: 5 * time.Minute, Ahead: 10 * time.Second, ChangesPerHour: 60, RegistrationsPerHour: 60, BareJSON: true,
		ENS: DefaultENSConfig(), Solana: DefaultSolanaConfig(),
		Reserved: []string{
			"abuse", "account", "admin", "administrator", "billing", "bridge", "contact", "daemon", "hawser", "help", "helpdesk", "hostmaster",
			"info", "legal", "localhost", "login", "mail", "moderator", "noreply", "official", "postmaster", "recovery", "refund", "register",
			"root", "security", "service", "staff", "status", "support", "system", "team", "test", "treasury", "verify", "wallet", "webmaster",
		},
	}
}

var zoneForm = regexp.MustCompile(`^[a-z0-9-]+\.[a-z0-9-]+$`)

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if len(c.Zones) == 0 {
		faults = append(faults, config.Faultf("zones", "it is empty"))
	}
	for i, zone := range c.Zones {
		if !zoneForm.MatchString(zone) {
			faults = append(faults, config.Faultf("zones["+strconv.Itoa(i)+"]", "it is not two labels in lower case, such as hawser.id"))
		}
	}
	if c.Past < time.Second || c.Past > time.Hour {
		faults = append(faults, config.Faultf("past", "it is not between a second and an hour"))
	}
	if c.Ahead < 0 || c.Ahead > time.Hour {
		faults = append(faults, config.Faultf("ahead", "it is not between 0 and an hour"))
	}
	if c.ChangesPerHour < 0 {
		faults = append(faults, config.Faultf("changes_per_hour", "it is below 0"))
	}
	if c.RegistrationsPerHour < 0 {
		faults = append(faults, config.Faultf("registrations_per_hour", "it is below 0"))
	}
	return faults
}
