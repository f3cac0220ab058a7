package sessions

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// Config is the configuration under `sessions`.
type Config struct {
	Chains          []string `yaml:"chains" doc:"CAIP-2 ids of public chains that smart sessions can be granted on, which must have the Delegation Framework 1.3.0 and a bundler; development chains need no entry"`
	WithoutCoSigner []string `yaml:"without_co_signer" doc:"ids of projects whose sessions need no signature of the co-signer: contracts alone enforce the limits"`
	DeniedTargets   []string `yaml:"denied_targets" doc:"addresses that no session calls or pays: a request for them is refused, and so is the signature of the co-signer"`
	SignedPerHour   int      `yaml:"signed_per_hour" doc:"user operations of one session that the co-signer signs in an hour (UTC); 0 is no limit"`
	PaymasterHosts  []string `yaml:"paymaster_hosts" doc:"hosts of paymasters (ERC-7677) that a request may name; none by default"`
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	for i, id := range c.Chains {
		reference, ok := strings.CutPrefix(id, "eip155:")
		if _, err := strconv.ParseUint(reference, 10, 63); !ok || err != nil {
			faults = append(faults, config.Faultf("chains["+strconv.Itoa(i)+"]", "it is not a chain of eip155"))
		}
	}
	for i, text := range c.DeniedTargets {
		if _, err := evm.ParseAddress(text); err != nil {
			faults = append(faults, config.Faultf("denied_targets["+strconv.Itoa(i)+"]", "it is not an address"))
		}
	}
	if c.SignedPerHour < 0 {
		faults = append(faults, config.Faultf("signed_per_hour", "it is negative"))
	}
	for i, host := range c.PaymasterHosts {
		if host == fetch.AnyHost || fetch.CheckHost(host) != nil {
			faults = append(faults, config.Faultf("paymaster_hosts["+strconv.Itoa(i)+"]", "it is not a host name"))
		}
	}
	return faults
}

// denied returns the addresses in DeniedTargets.
func (c Config) denied() []evm.Address {
	denied := make([]evm.Address, 0, len(c.DeniedTargets))
	for _, text := range c.DeniedTargets {
		if a, err := evm.ParseAddress(text); err == nil {
			denied = append(denied, a)
		}
	}
	return denied
}

// needsCoSigner reports whether the sessions of a project need the co-signer.
func (c Config) needsCoSigner(project string) bool {
	return !slices.Contains(c.WithoutCoSigner, project)
}
