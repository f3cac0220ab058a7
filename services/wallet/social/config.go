package social

import (
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
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
	// Address is the address of the provider, for development.
	Address string `yaml:"-"`
}

// Apple holds the credentials that Apple issued for this installation.
type Apple struct {
	// ID is the id of the service.
	ID string `yaml:"client_id" doc:"id of the service that Apple issued; empty: Apple is off"`
	// Team and KeyID identify the key.
	Team  string `yaml:"team" doc:"id of the team"`
	KeyID string `yaml:"key_id" doc:"id of the key"`
	Key   string `yaml:"key" doc:"that key: PEM (PKCS 8), or file: and the path of a file with it" secret:"true"`
	// Address is the address of the provider, for development.
	Address string `yaml:"-"`
}

// Check reports clients without a secret.
func (c Config) Check() (faults []config.Fault) {
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

// at returns an address of a provider, or of the server that replaces it in development.
func at(development, path, public string) string {
	if development == "" {
		return public
	}
	return strings.TrimSuffix(development, "/") + path
}
