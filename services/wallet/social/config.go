package social

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

// Config is the configuration under `wallet.social`. The callback address to register at each provider is /social/callback of frame.origin.
type Config struct {
	Google   Client `yaml:"google"`
	X        Client `yaml:"x"`
	Discord  Client `yaml:"discord"`
	GitHub   Client `yaml:"github"`
	Apple    Apple  `yaml:"apple"`
	Facebook Client `yaml:"facebook"`
}

// Client holds the credentials that a provider issued for this installation.
type Client struct {
	// ID and Secret are those of the client.
	ID     string `yaml:"client_id" doc:"id of the client that the provider issued; empty: the provider is off"`
	Secret string `yaml:"client_secret" doc:"secret of the client" secret:"true"`
	// Address is the address of another server with the provider's endpoints.
	Address string `yaml:"address" doc:"for development or a proxy: address of a server that replaces the provider, with https unless it is on this machine or chains.dev is set; empty for the provider itself"`
}

// Apple holds the credentials that Apple issued for this installation.
type Apple struct {
	// ID is the id of the service.
	ID string `yaml:"client_id" doc:"id of the service that Apple issued; empty: Apple is off"`
	// Team and KeyID identify the key.
	Team  string `yaml:"team" doc:"id of the team"`
	KeyID string `yaml:"key_id" doc:"id of the key"`
	Key   string `yaml:"key" doc:"that key: PEM (PKCS 8), or file: and the path of a file with it" secret:"true"`
	// Address is the address of another server with Apple's endpoints.
	Address string `yaml:"address" doc:"for development or a proxy: address of a server that replaces Apple, with https unless it is on this machine or chains.dev is set; empty for Apple itself"`
}

// Check reports clients without a secret, and invalid addresses.
func (c Config) Check() (faults []config.Fault) {
	for name, address := range c.addresses() {
		if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "") {
			faults = append(faults, config.Faultf(name+".address", "it is not an https or http URL without a query"))
		}
	}
	for name, client := range c.clients() {
		if client.ID != "" && client.Secret == "" {
			faults = append(faults, config.Faultf(name+".client_secret", "it is empty, but client_id is set"))
		}
	}
	if c.Apple.ID != "" {
		if c.Apple.Team == "" || c.Apple.KeyID == "" {
			faults = append(faults, config.Faultf("apple", "team or key_id is empty, but client_id is set"))
		}
		if _, err := c.Apple.parseKey(); err != nil {
			faults = append(faults, config.Faultf("apple.key", "it is not a P-256 key in PEM"))
		}
	}
	return faults
}

// CheckDevelopment reports addresses on other machines without encryption.
func (c Config) CheckDevelopment() (faults []config.Fault) {
	for name, address := range c.addresses() {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" {
			continue
		}
		if o, err := origin.Parse(u.Scheme + "://" + u.Host); err != nil || !o.IsLocal() {
			faults = append(faults, config.Faultf(name+".address", "it is http on another machine, and chains.dev is not set"))
		}
	}
	return faults
}

// addresses returns the configured addresses by provider.
func (c Config) addresses() map[string]string {
	all := map[string]string{"apple": c.Apple.Address}
	for name, client := range c.clients() {
		all[name] = client.Address
	}
	return all
}

func (c Config) clients() map[string]Client {
	return map[string]Client{"google": c.Google, "x": c.X, "discord": c.Discord, "github": c.GitHub, "facebook": c.Facebook}
}

// Providers returns the configured providers by name.
func (c Config) Providers(now clock.Clock) (map[string]Provider, error) {
	all := map[string]Provider{}
	for name, client := range c.clients() {
		if client.ID == "" {
			continue
		}
		if name == "google" {
			all[name] = newGoogle(client, now)
		} else {
			all[name] = newOAuth(dialects[name], client)
		}
	}
	if c.Apple.ID != "" {
		apple, err := newApple(c.Apple, now)
		if err != nil {
			return nil, fmt.Errorf("wallet.social.apple: %w", err)
		}
		all["apple"] = apple
	}
	return all, nil
}

// at returns an address of a provider, or of the server that replaces it.
func at(other, path, public string) string {
	if other == "" {
		return public
	}
	return strings.TrimSuffix(other, "/") + path
}
