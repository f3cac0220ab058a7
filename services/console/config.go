package console

import (
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/console/identity"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

// Config is the configuration under `console`.
type Config struct {
	Origin string `yaml:"origin" doc:"where browsers reach the console, such as https://console.example.org; empty for this machine at the port of listen.console. With https, the cookie of a session is sent over https only"`
	// TrustForwardedFor takes an operator's address from X-Forwarded-For.
	TrustForwardedFor bool `yaml:"trust_forwarded_for" doc:"take an operator's address from the last entry of X-Forwarded-For: set it behind one proxy"`
	// OIDC is an identity provider at which operators sign in.
	OIDC            identity.Config `yaml:"oidc"`
	SessionIdle     time.Duration   `yaml:"session_idle" doc:"how long an operator stays signed in without a call, at least 1m"`
	SessionLifetime time.Duration   `yaml:"session_lifetime" doc:"how long an operator stays signed in at most, at least session_idle"`
}

// DefaultConfig returns the configuration without settings.
func DefaultConfig() Config {
	return Config{OIDC: identity.DefaultConfig(), SessionIdle: 30 * time.Minute, SessionLifetime: 12 * time.Hour}
}

// Check validates the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.Origin != "" {
		if o, err := origin.Parse(c.Origin); err != nil || o.String() != c.Origin || !strings.HasPrefix(c.Origin, "http") {
			faults = append(faults, config.Faultf("origin", "it is not an origin, such as https://console.example.org"))
		}
	}
	for _, f := range c.OIDC.Check(roleNames()) {
		faults = append(faults, config.Faultf("oidc."+f.Key, "%s", f.Text))
	}
	if c.SessionIdle < time.Minute {
		faults = append(faults, config.Faultf("session_idle", "it is below 1m"))
	}
	if c.SessionLifetime < c.SessionIdle {
		faults = append(faults, config.Faultf("session_lifetime", "it is below session_idle"))
	}
	return faults
}

// roleNames returns the names of the roles, the least one first.
func roleNames() (names []string) {
	for _, r := range Roles {
		names = append(names, string(r))
	}
	return names
}
