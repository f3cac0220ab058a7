// Package mail composes and sends the mails of the wallet service, in plain text and HTML, from templates that an
// operator can replace.
package mail

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"os"
	"strings"
	"text/template"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

//go:embed templates
var templates embed.FS

// sendTimeout bounds the sending of one mail.
const sendTimeout = 10 * time.Second

// ErrSend means that a mail was not sent.
var ErrSend = errors.New("the mail was not sent")

// Kind is a kind of mail; its templates are <kind>.txt, whose first line is the subject, and <kind>.html.
type Kind string

// The kinds.
const (
	// Code has the code of a login.
	Code Kind = "code"
	// Device has the link that approves a device.
	Device Kind = "device"
	// OldEmail has the code that proves the email to change, and NewEmail that of the new one.
	OldEmail Kind = "old-email"
	NewEmail Kind = "new-email"
	// EmailChanged informs the previous email of a change.
	EmailChanged Kind = "email-changed"
	// AccountChanged informs every email of the user of another change.
	AccountChanged Kind = "account-changed"
)

var kinds = []Kind{Code, Device, OldEmail, NewEmail, EmailChanged, AccountChanged}

// Data is the data of the templates.
type Data struct {
	// Code is the code of six digits; Link the address that approves a device, or that of the account page; Words the two
	// words that the page of the link shows.
	Code, Link, Words string
	// Minutes is how long the code or the link can be used.
	Minutes int
	// Browser, System, Site and Network describe the device.
	Browser, System, Site, Network string
	// NewEmail is the email after a change.
	NewEmail string
	// Change is what changed: email-started, email-waits, email-changed, identity-added, identity-waits, identity-ends, identity-removed,
	// identity-kept, factor-added, factor-removed, session-ended, signed-out, password-guessed or deleted; Provider the name of the provider of the
	// identity.
	Change, Provider string
	// Time is when the login was started.
	Time time.Time
}

// Mailer sends mails.
type Mailer struct {
	client *gomail.Client
	meter  *upstream.Meter
	from   string
	text   map[Kind]*template.Template
	html   map[Kind]*htmltemplate.Template
}

// New returns a mailer.
func New(cfg Config) (*Mailer, error) {
	m := &Mailer{meter: upstream.NewMeter("mail", ""), from: cfg.From, text: map[Kind]*template.Template{}, html: map[Kind]*htmltemplate.Template{}}
	defaults, err := fs.Sub(templates, "templates")
	if err != nil {
		return nil, err
	}
	for _, kind := range kinds {
		text, err := read(cfg.Templates, defaults, string(kind)+".txt")
		if err != nil {
			return nil, err
		}
		if m.text[kind], err = template.New(string(kind)).Parse(text); err != nil {
			return nil, err
		}
		html, err := read(cfg.Templates, defaults, string(kind)+".html")
		if err != nil {
			return nil, err
		}
		if m.html[kind], err = htmltemplate.New(string(kind)).Parse(html); err != nil {
			return nil, err
		}
		// This finds invalid templates at the start.
		if _, err := m.write(kind, "somebody@example.org", Data{}); err != nil {
			return nil, err
		}
	}
	m.client, err = cfg.client()
	return m, err
}

// read returns a template from the operator's folder, or the default one.
func read(folder string, defaults fs.FS, name string) (string, error) {
	if folder != "" {
		raw, err := fs.ReadFile(os.DirFS(folder), name)
		if !errors.Is(err, fs.ErrNotExist) {
			return string(raw), err
		}
	}
	raw, err := fs.ReadFile(defaults, name)
	return string(raw), err
}

// Send composes and sends a mail. It fails with [ErrSend]; the error does not contain the address.
func (m *Mailer) Send(ctx context.Context, kind Kind, to string, data Data) error {
	message, err := m.write(kind, to, data)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	begun := time.Now()
	err = m.client.DialAndSendWithContext(ctx, message)
	if message.IsDelivered() {
		// The server has the mail; it only did not end the connection as it should.
		err = nil
	}
	m.meter.Record(ctx, m.client.ServerAddr(), time.Since(begun), outcomeOf(ctx, err))
	if err != nil {
		// The server's text may repeat the address.
		return fmt.Errorf("%w: %s", ErrSend, strings.ReplaceAll(err.Error(), to, "[redacted]"))
	}
	return nil
}

// write executes the templates of a mail.
func (m *Mailer) write(kind Kind, to string, data Data) (*gomail.Msg, error) {
	var text, html bytes.Buffer
	if err := m.text[kind].Execute(&text, data); err != nil {
		return nil, fmt.Errorf("template %s.txt: %w", kind, err)
	}
	if err := m.html[kind].Execute(&html, data); err != nil {
		return nil, fmt.Errorf("template %s.html: %w", kind, err)
	}
	subject, body, found := strings.Cut(text.String(), "\n")
	if !found {
		return nil, fmt.Errorf("template %s.txt: its first line is not a subject", kind)
	}
	message := gomail.NewMsg()
	if err := message.From(m.from); err != nil {
		return nil, fmt.Errorf("the sender of mails: %w", err)
	}
	if err := message.To(to); err != nil {
		return nil, fmt.Errorf("%w: the recipient is not valid", ErrSend)
	}
	message.Subject(strings.TrimSpace(strings.TrimPrefix(subject, "Subject:")))
	message.SetMessageID()
	message.SetDate()
	// Programs do not send automatic replies to such a mail (RFC 3834).
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, strings.TrimLeft(body, "\n"))
	message.AddAlternativeString(gomail.TypeTextHTML, html.String())
	return message, nil
}
