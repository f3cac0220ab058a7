package identity

import (
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

// Config is the configuration under `console.oidc`.
type Config struct {
	Issuer       string   `yaml:"issuer" doc:"issuer of an identity provider (OpenID Connect) at which operators sign in, such as https://login.example.org; empty: at none. Its callback is /oidc of console.origin"`
	Name         string   `yaml:"name" doc:"what the sign-in page calls the provider; empty for its host"`
	ClientID     string   `yaml:"client_id" doc:"id of the client that the provider issued"`
	ClientSecret string   `yaml:"client_secret" doc:"secret of the client, or file: and the path of a file with it" secret:"true"`
	Scopes       []string `yaml:"scopes" doc:"scopes that are asked for beside openid"`
	Allowed      []Rule   `yaml:"allowed" doc:"who may sign in as what: a list of {email: …, role: …}, {domain: …, role: …} and {claim: …, value: …, role: …}, with the roles viewer, support, operator and owner. Of the rules that hold, the highest role counts. An email counts only if the provider says that it is verified"`
}

// Rule gives a role to those who have an email, an email of a domain, or a value of a claim.
type Rule struct {
	Email  string `yaml:"email,omitempty"`
	Domain string `yaml:"domain,omitempty"`
	// Claim is one of the id token: a text, or a list of texts with the value in it.
	Claim string `yaml:"claim,omitempty"`
	Value string `yaml:"value,omitempty"`
	Role  string `yaml:"role"`
}

// DefaultConfig returns the configuration without settings.
func DefaultConfig() Config { return Config{Scopes: []string{"email", "profile"}} }

// IsOn reports whether operators sign in at a provider.
func (c Config) IsOn() bool { return c.Issuer != "" }

// Title returns what the sign-in page calls the provider; empty if there is none.
func (c Config) Title() string {
	if c.Name != "" || !c.IsOn() {
		return c.Name
	}
	at, err := url.Parse(c.Issuer)
	if err != nil {
		return c.Issuer
	}
	return at.Hostname()
}

// Check validates the configuration; roles are the roles that there are.
func (c Config) Check(roles []string) (faults []config.Fault) {
	if !c.IsOn() {
		if c.ClientID != "" || len(c.Allowed) > 0 {
			faults = append(faults, config.Faultf("issuer", "it is empty, but client_id or allowed is set"))
		}
		return faults
	}
	if !isIssuer(c.Issuer) {
		faults = append(faults, config.Faultf("issuer", "it is not an https URL without a query, such as https://login.example.org"))
	}
	if c.ClientID == "" {
		faults = append(faults, config.Faultf("client_id", "it is empty, but issuer is set"))
	}
	if secret, err := c.secret(); err != nil || secret == "" {
		faults = append(faults, config.Faultf("client_secret", "it is empty, or a file that cannot be read"))
	}
	if len(c.Allowed) == 0 {
		faults = append(faults, config.Faultf("allowed", "it is empty: nobody could sign in"))
	}
	for i, r := range c.Allowed {
		if wrong := r.check(roles); wrong != "" {
			faults = append(faults, config.Faultf("allowed", "rule %d: %s", i+1, wrong))
		}
	}
	return faults
}

// isIssuer reports whether a text can be an issuer: https without a query, or http of this machine.
func isIssuer(text string) bool {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.ForceQuery || at.Fragment != "" || strings.Contains(text, "#") {
		return false
	}
	if at.Scheme == "http" {
		o, err := origin.Parse("http://" + at.Host)
		return err == nil && o.IsLocal()
	}
	return at.Scheme == "https"
}

// check returns what is wrong with a rule; empty for nothing.
func (r Rule) check(roles []string) string {
	kinds := 0
	for _, set := range []string{r.Email, r.Domain, r.Claim} {
		if set != "" {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return "it has not one of email, domain and claim"
	case (r.Claim == "") != (r.Value == ""):
		return "claim and value belong together"
	case !slices.Contains(roles, r.Role):
		return fmt.Sprintf("its role is not one of %s", strings.Join(roles, ", "))
	case r.Domain != "" && (strings.ContainsAny(r.Domain, "@*/: ") || !strings.Contains(r.Domain, ".")):
		return fmt.Sprintf("%q is not a domain, such as example.org", r.Domain)
	}
	if at, err := mail.ParseAddress(r.Email); r.Email != "" && (err != nil || at.Address != r.Email) {
		return fmt.Sprintf("%q is not an email", r.Email)
	}
	return ""
}

// secret returns the client secret.
func (c Config) secret() (string, error) {
	path, isFile := strings.CutPrefix(c.ClientSecret, "file:")
	if !isFile {
		return c.ClientSecret, nil
	}
	raw, err := files.ReadSecret(path)
	return strings.TrimSpace(string(raw)), err
}
