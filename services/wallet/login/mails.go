package login

import (
	"cmp"
	"context"
	"net/url"
	"time"

	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// Mails sends the mails of challenges and of changes.
type Mails struct {
	mailer *mail.Mailer
	frame  string
}

// NewMails returns mails whose links lead to the origin of the frame. Without a mailer they fail with [mail.ErrSend].
func NewMails(m *mail.Mailer, frameOrigin string) *Mails { return &Mails{m, frameOrigin} }

// SendCode mails a code.
func (m *Mails) SendCode(ctx context.Context, c *challenge.Challenge, code string) error {
	kind := map[challenge.Purpose]mail.Kind{challenge.Login: mail.Code, challenge.SignUp: mail.Code, challenge.OldEmail: mail.OldEmail, challenge.NewEmail: mail.NewEmail}[c.Purpose]
	data := dataOf(c)
	data.Code = code
	return m.Send(ctx, kind, c.Email, data)
}

// SendLink mails the link that approves a device. Its token is in the fragment, which browsers do not send to servers.
func (m *Mails) SendLink(ctx context.Context, c *challenge.Challenge, token string) error {
	data := dataOf(c)
	data.Link = m.frame + "/approve-device?" + url.Values{"projectId": {c.Project}}.Encode() + "#" + url.Values{"token": {token}}.Encode()
	return m.Send(ctx, mail.Device, c.Email, data)
}

func dataOf(c *challenge.Challenge) mail.Data {
	return mail.Data{
		Minutes: int(challenge.Lifetime / time.Minute), Browser: c.Browser, System: c.System, Site: c.Site, Network: c.Network,
		Words: c.Words, NewEmail: c.NewEmail, Time: c.CreatedAt,
	}
}

// providers are the names of providers in mails.
var providers = map[string]string{
	user.Email: "Email", "google": "Google", "x": "X", "discord": "Discord", farcasterName: "Farcaster", "github": "GitHub", "apple": "Apple", "facebook": "Facebook",
}

// Tell informs emails of a change of a user of a project. newEmail is that of the change; empty if it has none. Every
// email is tried; the error is the first one.
func (m *Mails) Tell(ctx context.Context, project string, emails []string, kind notice.Kind, provider, newEmail string) error {
	data := mail.Data{Change: string(kind), Provider: providers[provider], NewEmail: newEmail}
	if kind != notice.Deleted {
		data.Link = m.frame + "/account?" + url.Values{"projectId": {project}}.Encode()
	}
	var failed error
	for _, to := range emails {
		failed = cmp.Or(failed, m.Send(ctx, mail.AccountChanged, to, data))
	}
	return failed
}

// Send sends a mail.
func (m *Mails) Send(ctx context.Context, kind mail.Kind, to string, data mail.Data) error {
	if m.mailer == nil {
		return mail.ErrSend
	}
	return m.mailer.Send(ctx, kind, to, data)
}
