package mail

import (
	netmail "net/mail"

	gomail "github.com/wneessen/go-mail"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration under `wallet.mail`.
type Config struct {
	// Host is the name of the SMTP server.
	Host string `yaml:"host" doc:"name of the SMTP server that sends the mails of logins; empty: there is no login by email"`
	// Port is the port of the SMTP server.
	Port int `yaml:"port" doc:"port of the SMTP server"`
	// TLS says how the connection is encrypted.
	TLS string `yaml:"tls" doc:"starttls, implicit, or none, which is for a server on this machine"`
	// User and Password authenticate; both are empty for none.
	User     string `yaml:"user" doc:"name at the SMTP server; empty to send without one"`
	Password string `yaml:"password" doc:"password at the SMTP server" secret:"true"`
	// From is the sender.
	From string `yaml:"from" doc:"sender of the mails, such as Shop <login@shop.example>"`
	// Templates is a folder whose files replace the default templates.
	Templates string `yaml:"templates" doc:"folder whose files replace the templates of mails: code, device, old-email, new-email, email-changed and account-changed, each .txt (first line: the subject) and .html"`
}

// The values of Config.TLS.
const (
	startTLS = "starttls"
	implicit = "implicit"
	noTLS    = "none"
)

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{Port: 587, TLS: startTLS, From: "Hawser <login@localhost>"}
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.Port < 1 || c.Port > 65535 {
		faults = append(faults, config.Faultf("port", "it is not between 1 and 65535"))
	}
	if c.TLS != startTLS && c.TLS != implicit && c.TLS != noTLS {
		faults = append(faults, config.Faultf("tls", "it is not starttls, implicit or none"))
	}
	if _, err := netmail.ParseAddress(c.From); err != nil {
		faults = append(faults, config.Faultf("from", "it is not an email address"))
	}
	return faults
}

// Enabled reports whether mails can be sent.
func (c Config) Enabled() bool { return c.Host != "" }

func (c Config) client() (*gomail.Client, error) {
	options := []gomail.Option{gomail.WithPort(c.Port), gomail.WithTimeout(sendTimeout)}
	switch c.TLS {
	case implicit:
		options = append(options, gomail.WithSSL())
	case noTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if c.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(c.User), gomail.WithPassword(c.Password))
	}
	return gomail.NewClient(c.Host, options...)
}
