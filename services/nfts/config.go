package nfts

import (
	"net/url"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is what an operator sets under `nfts`.
type Config struct {
	// IPFSGateway answers for ipfs:// URIs.
	IPFSGateway string `yaml:"ipfs_gateway" doc:"URL under which documents of IPFS are found by CID and path, with a slash at its end"`
	// ArweaveGateway answers for ar:// URIs.
	ArweaveGateway string `yaml:"arweave_gateway" doc:"URL under which documents of Arweave are found by id and path, with a slash at its end"`
	// OwnGateways says that both gateways may be at private addresses and any port.
	OwnGateways bool `yaml:"own_gateways" doc:"whether the gateways are the operator's own, so that they may be at private addresses and any port"`
	// AllowPrivate lets metadata and pictures come from private addresses and any port.
	AllowPrivate bool `yaml:"allow_private" doc:"let metadata and pictures of tokens come from private addresses and any port: for development only, for it lets a stranger's token ask this network"`
	// Timeout bounds the listing of one account, and the showing of a picture that an account chose.
	Timeout time.Duration `yaml:"timeout" doc:"longest listing of one account's tokens, and longest showing of the picture that an account chose"`
	// Patience bounds how much of it is spent on waiting for metadata.
	Patience time.Duration `yaml:"patience" doc:"how long a listing waits for metadata; a token whose metadata comes later is listed without it until the next time"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{IPFSGateway: "https://ipfs.io/ipfs/", ArweaveGateway: "https://arweave.net/", Timeout: 15 * time.Second, Patience: 4 * time.Second}
}

// Check refuses gateways under which nothing could be found.
func (c Config) Check() (faults []config.Fault) {
	for key, gateway := range map[string]string{"ipfs_gateway": c.IPFSGateway, "arweave_gateway": c.ArweaveGateway} {
		u, err := url.Parse(gateway)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || !strings.HasSuffix(gateway, "/") {
			faults = append(faults, config.Faultf(key, "it is not an http or https URL with a slash at its end"))
		}
	}
	if c.Patience <= 0 || c.Patience > c.Timeout {
		faults = append(faults, config.Faultf("patience", "it is not above 0 and at most timeout"))
	}
	return faults
}
