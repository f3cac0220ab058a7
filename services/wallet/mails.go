package wallet

import (
	"context"
	"net/url"
	"time"

	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/mail"
)

// SendCode mails a code.
func (s *Server) SendCode(ctx context.Context, c *challenge.Challenge, code string) error {
	kind := map[challenge.Purpose]mail.Kind{challenge.Login: mail.Code, challenge.OldEmail: mail.OldEmail, challenge.NewEmail: mail.NewEmail}[c.Purpose]
	data := dataOf(c)
	data.Code = code
	return s.send(ctx, kind, c.Email, data)
}

// SendLink mails the link that approves a device. Its token is in the fragment, which browsers send to no server.
func (s *Server) SendLink(ctx context.Context, c *challenge.Challenge, token string) error {
	data := dataOf(c)
	data.Link = s.cfg.FrameOrigin + "/approve-device?" + url.Values{"projectId": {c.Project}}.Encode() + "#" + url.Values{"token": {token}}.Encode()
	return s.send(ctx, mail.Device, c.Email, data)
}

func dataOf(c *challenge.Challenge) mail.Data {
	return mail.Data{
		Minutes: int(challenge.Lifetime / time.Minute), Browser: c.Browser, System: c.System, Site: c.Site, Network: c.Network,
		Words: c.Words, NewEmail: c.NewEmail, Time: c.CreatedAt,
	}
}

// send sends a mail. It fails with [mail.ErrSend] if there is no mailer.
func (s *Server) send(ctx context.Context, kind mail.Kind, to string, data mail.Data) error {
	if s.mailer == nil {
		return mail.ErrSend
	}
	return s.mailer.Send(ctx, kind, to, data)
}
