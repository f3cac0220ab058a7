package preview

import (
	"strconv"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration under `preview`.
type Config struct {
	Descriptors string   `yaml:"descriptors" doc:"folder with descriptors (ERC-7730, *.json) by which previews say in words what calls and typed data ask of contracts; empty for none but those of the suite"`
	Delegates   []string `yaml:"delegates" doc:"addresses of code that accounts may delegate to (EIP-7702) without a warning"`
}

// DefaultConfig returns the default configuration: EIP7702StatelessDeleGator of the Delegation Framework 1.3.0, and Simple7702Account of EntryPoint
// v0.8.
func DefaultConfig() Config {
	return Config{Delegates: []string{"0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B", "0xe6Cae83BdE06E4c305530e199D7217f42808555B"}}
}

// Check reports delegates that are not addresses.
func (c Config) Check() (faults []config.Fault) {
	for i, text := range c.Delegates {
		if _, err := evm.ParseAddress(text); err != nil {
			faults = append(faults, config.Faultf("delegates["+strconv.Itoa(i)+"]", "it is not an address"))
		}
	}
	return faults
}
