package nfts

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// Config is the configuration under `nfts`.
type Config struct {
	// IPFSGateway serves ipfs:// URIs.
	IPFSGateway string `yaml:"ipfs_gateway" doc:"URL to which CID and path of a document of IPFS are added, with a slash at its end, such as https://ipfs.io/ipfs/; empty: none are fetched"`
	// ArweaveGateway serves ar:// URIs.
	ArweaveGateway string `yaml:"arweave_gateway" doc:"URL to which id and path of a document of Arweave are added, with a slash at its end, such as https://arweave.net/; empty: none are fetched"`
	// Hosts are further hosts from which documents may be fetched.
	Hosts []string `yaml:"hosts" doc:"hosts that metadata and pictures may be fetched from when a token or a name says that they are there, each with those below it; \"*\" is every public host"`
	// OwnGateways allows private addresses and any port for both gateways.
	OwnGateways bool `yaml:"own_gateways" doc:"whether the gateways are the operator's own, so that they may be at private addresses and any port"`
	// AllowPrivate allows private addresses and any port for metadata and pictures; for development.
	AllowPrivate bool `yaml:"allow_private" doc:"let metadata and pictures of tokens come from private addresses and any port: for development only, because it lets any token send requests to this network"`
	// Timeout bounds the listing of one account, and the loading of one avatar.
	Timeout time.Duration `yaml:"timeout" doc:"longest time to list one account's tokens, or to fetch the picture that an account chose"`
	// Patience bounds how long a listing waits for metadata.
	Patience time.Duration `yaml:"patience" doc:"how long a listing waits for metadata; a token whose metadata comes later is listed without it until the next time"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{Timeout: 15 * time.Second, Patience: 4 * time.Second}
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	for key, gateway := range map[string]string{"ipfs_gateway": c.IPFSGateway, "arweave_gateway": c.ArweaveGateway} {
		u, err := url.Parse(gateway)
		if gateway == "" {
			continue
		}
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || !strings.HasSuffix(gateway, "/") {
			faults = append(faults, config.Faultf(key, "it is not an http or https URL with a slash at its end"))
		}
	}
	for i, host := range c.Hosts {
		if fetch.CheckHost(host) != nil {
			faults = append(faults, config.Faultf("hosts["+strconv.Itoa(i)+"]", "it is neither a public host, such as example.org, nor *"))
		}
	}
	if c.Patience <= 0 || c.Patience > c.Timeout {
		faults = append(faults, config.Faultf("patience", "it is not above 0 and at most timeout"))
	}
	return faults
}

// hosts returns every host from which documents may be fetched, including those of the gateways.
func (c Config) hosts() []string {
	hosts := slices.Clone(c.Hosts)
	for _, gateway := range []string{c.IPFSGateway, c.ArweaveGateway} {
		if u, err := url.Parse(gateway); err == nil && u.Hostname() != "" {
			hosts = append(hosts, u.Hostname())
		}
	}
	return hosts
}
