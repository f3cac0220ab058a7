package bundler

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/network"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/seal"
)

// Config is the configuration under `bundler`.
type Config struct {
	Chains        map[string]Chain `yaml:"chains" doc:"chains that user operations are sent to, by CAIP-2 id, each with the url of a bundler, in which ${NAME} is taken from the environment, or {} for this one; none by default"`
	Executors     []string         `yaml:"executors" doc:"private keys, 64 hex digits each, of the accounts that send user operations; they pay for gas and are paid back. hawser bundler seal seals them with wallet.key" secret:"true"`
	ExecutorsFile string           `yaml:"executors_file" doc:"path of a file with a private key of an executor in each line; added to executors"`
	BundlerHosts  []string         `yaml:"bundler_hosts" doc:"hosts of bundlers that a request may name; none by default"`
	ReplaceAfter  time.Duration    `yaml:"replace_after" doc:"how long a transaction may take until it is sent at a higher fee"`
	KeepFor       time.Duration    `yaml:"keep_for" doc:"how long user operations and calls by id are stored after they were received; operations that have not ended are kept; at least a day"`
	Limits        executor.Limits  `yaml:"limits"`
	Paymaster     paymaster.Config `yaml:"paymaster"`
}

// Chain configures one chain. Empty addresses mean the contracts of the Delegation Framework; on development chains
// those of their description.
type Chain struct {
	URL               string `yaml:"url" secret:"url"`
	Delegate          string `yaml:"delegate"`
	Factory           string `yaml:"factory"`
	Hybrid            string `yaml:"hybrid"`
	DelegationManager string `yaml:"delegation_manager"`
	Paymaster         string `yaml:"paymaster"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		ReplaceAfter: 30 * time.Second, KeepFor: 30 * 24 * time.Hour,
		Limits: executor.Limits{ProjectPerHour: 10_000, AccountPerHour: 200, DroppedPerHour: 5},
	}
}

// urls returns the URL of each chain's bundler, which is empty for this one. The error does not contain it.
func (c Config) urls() (map[string]string, error) {
	urls := map[string]string{}
	for id, chain := range c.Chains {
		expanded, err := config.Expand(chain.URL)
		if err != nil {
			return nil, fmt.Errorf("chains.%s.url: %w", id, err)
		}
		urls[id] = expanded
	}
	return urls, nil
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	for id, chain := range c.Chains {
		faults = append(faults, chain.check("chains."+id, id)...)
		if chain.URL == "" && len(c.Executors) == 0 && c.ExecutorsFile == "" {
			faults = append(faults, config.Faultf("executors", "it is empty, but %s has no url of a bundler", id))
		}
	}
	for i, text := range c.Executors {
		if _, err := account.ParseKey(text); err != nil && !seal.IsSealed(text) {
			faults = append(faults, config.Faultf("executors["+strconv.Itoa(i)+"]", "it is not 64 hex digits or a sealed key"))
		}
	}
	for i, host := range c.BundlerHosts {
		if host == fetch.AnyHost || fetch.CheckHost(host) != nil {
			faults = append(faults, config.Faultf("bundler_hosts["+strconv.Itoa(i)+"]", "it is not a host name"))
		}
	}
	if c.ReplaceAfter < time.Second || c.ReplaceAfter > time.Hour {
		faults = append(faults, config.Faultf("replace_after", "it is not between a second and an hour"))
	}
	if c.KeepFor < 24*time.Hour {
		faults = append(faults, config.Faultf("keep_for", "it is less than a day"))
	}
	return append(faults, checkPaymaster(c.Paymaster)...)
}

func (c Chain) check(at, id string) (faults []config.Fault) {
	if reference, ok := strings.CutPrefix(id, "eip155:"); !ok {
		faults = append(faults, config.Faultf(at, "it is not a chain of eip155"))
	} else if _, err := strconv.ParseUint(reference, 10, 63); err != nil {
		faults = append(faults, config.Faultf(at, "it is not a chain of eip155"))
	}
	if u, err := url.Parse(c.URL); c.URL != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		faults = append(faults, config.Faultf(at+".url", "it is not an http or https URL"))
	}
	for name, address := range map[string]string{
		"delegate": c.Delegate, "factory": c.Factory, "hybrid": c.Hybrid, "delegation_manager": c.DelegationManager, "paymaster": c.Paymaster,
	} {
		if _, err := evm.ParseAddress(address); address != "" && err != nil {
			faults = append(faults, config.Faultf(at+"."+name, "it is not an address"))
		}
	}
	return faults
}

func checkPaymaster(c paymaster.Config) (faults []config.Fault) {
	if _, err := account.ParseKey(c.Signer); c.Signer != "" && err != nil {
		faults = append(faults, config.Faultf("paymaster.signer", "it is not 64 hex digits"))
	}
	for name, text := range map[string]string{"project_wei_per_day": c.ProjectPerDay, "account_wei_per_day": c.AccountPerDay} {
		if n, ok := new(big.Int).SetString(text, 10); text != "" && (!ok || n.Sign() < 0) {
			faults = append(faults, config.Faultf("paymaster."+name, "it is not a whole number"))
		}
	}
	if c.Icon != "" && !strings.HasPrefix(c.Icon, "data:image/") {
		faults = append(faults, config.Faultf("paymaster.icon", "it is not a data: URL of a picture"))
	}
	return faults
}

// keys returns the executors' keys, each in hex digits or sealed.
func (c Config) keys() ([]string, error) {
	if c.ExecutorsFile == "" {
		return c.Executors, nil
	}
	more, err := readKeys(c.ExecutorsFile)
	return append(slices.Clone(c.Executors), more...), err
}

// readKeys returns the lines of a file that are not comments.
func readKeys(path string) (lines []string, err error) {
	raw, err := files.ReadSecret(path)
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines, err
}

// contracts returns the configured contracts of chains that have any.
func (c Config) contracts() map[string]network.Contracts {
	found := map[string]network.Contracts{}
	for id, chain := range c.Chains {
		if chain.Delegate == "" && chain.Factory == "" && chain.Hybrid == "" && chain.DelegationManager == "" && chain.Paymaster == "" {
			continue
		}
		n := network.Public
		for _, set := range []struct {
			text string
			into *evm.Address
		}{
			{chain.Delegate, &n.Delegate}, {chain.Factory, &n.Factory}, {chain.Hybrid, &n.Hybrid}, {chain.DelegationManager, &n.DelegationManager},
			{chain.Paymaster, &n.Paymaster},
		} {
			if a, err := evm.ParseAddress(set.text); err == nil {
				*set.into = a
			}
		}
		found[id] = n
	}
	return found
}
