package bundler

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/bundler/network"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/seal"
)

// Config is the configuration under `bundler`.
type Config struct {
	Chains         map[string]Chain `yaml:"chains" doc:"chains that user operations are sent to, by CAIP-2 id, each with the url of a bundler, in which ${NAME} is taken from the environment, or {} for this one; none by default. docs/sponsoring.md has the other members"`
	Executors      []string         `yaml:"executors" doc:"private keys, 64 hex digits each, of the accounts that send user operations; they pay for gas and are paid back. hawser bundler seal seals them with wallet.key" secret:"true"`
	ExecutorsFile  string           `yaml:"executors_file" doc:"path of a file with a private key of an executor in each line; added to executors"`
	BundlerHosts   []string         `yaml:"bundler_hosts" doc:"hosts of bundlers that a request may name; none by default"`
	ReplaceAfter   time.Duration    `yaml:"replace_after" doc:"how long a transaction may take until it is sent at a higher fee"`
	KeepFor        time.Duration    `yaml:"keep_for" doc:"how long user operations and calls by id are stored after they were received; operations that have not ended are kept; at least a day"`
	KeepOperations int              `yaml:"keep_operations" doc:"user operations that are stored at most; the oldest that have ended are deleted first"`
	Limits         executor.Limits  `yaml:"limits"`
	Paymaster      paymaster.Config `yaml:"paymaster"`
}

// Chain configures one chain. Empty addresses mean the contracts of the Delegation Framework; on development chains
// those of their description.
type Chain struct {
	URL               string `yaml:"url" secret:"url"`
	Delegate          string `yaml:"delegate"`
	Factory           string `yaml:"factory"`
	Hybrid            string `yaml:"hybrid"`
	MultiSig          string `yaml:"multi_sig"`
	DelegationManager string `yaml:"delegation_manager"`
	Paymaster         string `yaml:"paymaster"`
	// ForwardPaymaster lets callers use the paymaster of the bundler at URL, which pays with the key in it.
	ForwardPaymaster bool `yaml:"forward_paymaster"`
	// FeeModel and Gas are what the chain charges for a transaction, where this program does not know it.
	FeeModel string   `yaml:"fee_model"`
	Gas      fees.Gas `yaml:"gas"`
	// ProjectLossPerHour and LossPerHour take precedence over the limits of the same names.
	ProjectLossPerHour string `yaml:"project_loss_wei_per_hour"`
	LossPerHour        string `yaml:"loss_wei_per_hour"`
	// TrustedCode, TrustedFactories and TrustedPaymasters are run for whoever sends an operation. A contract among them that accepts an operation in the check and
	// refuses it in the block makes the executors pay, up to the limits of losses.
	TrustedCode       []string `yaml:"trusted_code"`
	TrustedFactories  []string `yaml:"trusted_factories"`
	TrustedPaymasters []string `yaml:"trusted_paymasters"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		ReplaceAfter: 30 * time.Second, KeepFor: 30 * 24 * time.Hour,
		KeepOperations: 1_000_000,
		Limits: executor.Limits{
			ProjectPerHour: 10_000, AccountPerHour: 200, DroppedPerHour: 5,
			// A fifth and a half of an ether.
			ProjectLossPerHour: "200000000000000000", LossPerHour: "500000000000000000",
		},
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

// CheckURLs returns what a start would refuse of the URLs of bundlers: a variable that is not set.
func (c Config) CheckURLs() error {
	_, err := c.urls()
	return err
}

// forwardsPaymaster returns the chains whose bundler also gets requests for its paymaster.
func (c Config) forwardsPaymaster() map[string]bool {
	forwards := map[string]bool{}
	for id, chain := range c.Chains {
		forwards[id] = chain.URL != "" && chain.ForwardPaymaster
	}
	return forwards
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
	if c.KeepOperations < 1_000 {
		faults = append(faults, config.Faultf("keep_operations", "it is less than a thousand"))
	}
	for name, text := range map[string]string{"project_loss_wei_per_hour": c.Limits.ProjectLossPerHour, "loss_wei_per_hour": c.Limits.LossPerHour} {
		if !isWei(text) {
			faults = append(faults, config.Faultf("limits."+name, "it is not a whole number"))
		}
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
	if c.FeeModel != "" && !fees.Model(c.FeeModel).IsKnown() {
		faults = append(faults, config.Faultf(at+".fee_model", "it is not gas, op-stack, scroll or arbitrum"))
	} else if _, err := fees.Of(id, fees.Model(c.FeeModel), c.Gas); err != nil && c.URL == "" {
		faults = append(faults, config.Faultf(at+".fee_model", "what this network charges for a transaction is not known: set it, or the url of a bundler"))
	}
	for name, text := range map[string]string{"project_loss_wei_per_hour": c.ProjectLossPerHour, "loss_wei_per_hour": c.LossPerHour} {
		if text != "" && !isWei(text) {
			faults = append(faults, config.Faultf(at+"."+name, "it is not a whole number"))
		}
	}
	for i, text := range c.TrustedCode {
		if !isHash(text) && !isAddress(text) {
			faults = append(faults, config.Faultf(at+".trusted_code["+strconv.Itoa(i)+"]", "it is not an address, and not the hash of code"))
		}
	}
	for name, list := range map[string][]string{"trusted_factories": c.TrustedFactories, "trusted_paymasters": c.TrustedPaymasters} {
		for i, text := range list {
			if !isAddress(text) {
				faults = append(faults, config.Faultf(at+"."+name+"["+strconv.Itoa(i)+"]", "it is not an address"))
			}
		}
	}
	for name, address := range map[string]string{
		"delegate": c.Delegate, "factory": c.Factory, "hybrid": c.Hybrid, "multi_sig": c.MultiSig, "delegation_manager": c.DelegationManager, "paymaster": c.Paymaster,
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
		switch {
		case text == "" && c.Signer != "":
			faults = append(faults, config.Faultf("paymaster."+name, "it is empty, but signer is set: say what may be paid in a day"))
		case text != "" && !isWei(text):
			faults = append(faults, config.Faultf("paymaster."+name, "it is not a whole number"))
		}
	}
	if c.Signer != "" && len(c.Projects) == 0 {
		faults = append(faults, config.Faultf("paymaster.projects", "it is empty, but signer is set: name the projects that are paid for, or \"*\" for all"))
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

func isWei(text string) bool {
	n, ok := new(big.Int).SetString(text, 10)
	return ok && n.Sign() >= 0
}

func isAddress(text string) bool {
	_, err := evm.ParseAddress(text)
	return err == nil
}

// isHash reports whether text is 0x and 64 hex digits.
func isHash(text string) bool {
	raw, err := hexutil.Decode(text)
	return err == nil && len(raw) == common.HashLength
}

// networks returns what is configured for each chain.
func (c Config) networks() map[string]network.Settings {
	found := map[string]network.Settings{}
	for id, chain := range c.Chains {
		s := network.Settings{FeeModel: fees.Model(chain.FeeModel), Gas: chain.Gas, Contracts: chain.contracts()}
		for _, text := range chain.TrustedCode {
			if isHash(text) {
				s.Hashes = append(s.Hashes, common.HexToHash(text))
			} else {
				s.Code = append(s.Code, addresses(text)...)
			}
		}
		s.Factories, s.Paymasters = addresses(chain.TrustedFactories...), addresses(chain.TrustedPaymasters...)
		found[id] = s
	}
	return found
}

// addresses returns the texts that are addresses.
func addresses(texts ...string) (list []evm.Address) {
	for _, text := range texts {
		if a, err := evm.ParseAddress(text); err == nil {
			list = append(list, a)
		}
	}
	return list
}

// contracts returns the contracts of a chain, and none if none is configured.
func (c Chain) contracts() network.Contracts {
	n := network.Public
	configured := false
	for _, set := range []struct {
		text string
		into *evm.Address
	}{
		{c.Delegate, &n.Delegate}, {c.Factory, &n.Factory}, {c.Hybrid, &n.Hybrid}, {c.MultiSig, &n.MultiSig}, {c.DelegationManager, &n.DelegationManager},
		{c.Paymaster, &n.Paymaster},
	} {
		for _, a := range addresses(set.text) {
			*set.into, configured = a, true
		}
	}
	if !configured {
		return network.Contracts{}
	}
	return n
}
