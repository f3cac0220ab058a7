// Package inbox receives the mails of a development installation: an SMTP server on this machine that stores the last mails in memory, and a page that
// shows them.
package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// kept bounds the stored mails, and maxMail the size of a mail, in bytes.
	kept    = 200
	maxMail = 256 << 10
	// ioTimeout bounds reads and writes of a client.
	ioTimeout = 10 * time.Second
)

// Mail is a mail that was received.
type Mail struct {
	ID         string    `json:"id"`
	To         []string  `json:"to"`
	From       string    `json:"from"`
	Subject    string    `json:"subject"`
	Text       string    `json:"text"`
	HTML       string    `json:"html"`
	ReceivedAt time.Time `json:"receivedAt"`
}

// Inbox receives mails. It is safe for concurrent use.
type Inbox struct {
	listener net.Listener
	server   *smtp.Server

	mu    sync.Mutex
	count int
	mails []Mail
}

// Listen returns an inbox whose SMTP server listens at address, which must be an address of this machine. [Inbox.Serve]
// starts it.
func Listen(ctx context.Context, address string) (*Inbox, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && !ip.IsLoopback() {
		return nil, fmt.Errorf("the inbox for development listens on this machine only, not at %s", address)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	i := &Inbox{listener: l}
	i.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{inbox: i}, nil }))
	i.server.Domain = "localhost"
	i.server.MaxMessageBytes, i.server.MaxRecipients, i.server.MaxLineLength = maxMail, 10, 4096
	i.server.ReadTimeout, i.server.WriteTimeout = ioTimeout, ioTimeout
	return i, nil
}

// Port returns the port of the SMTP server.
func (i *Inbox) Port() int { return i.listener.Addr().(*net.TCPAddr).Port }

// Serve receives mails until ctx ends.
func (i *Inbox) Serve(ctx context.Context) error {
	ended := routine.Go(ctx, func() error { return i.server.Serve(i.listener) })
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		err := i.server.Close()
		// The server closes its listener only if it has begun to accept.
		_ = i.listener.Close()
		<-ended
		return errors.Join(ctx.Err(), err)
	}
}

// Mails returns the mails to an address, or all mails if it is empty, the newest first.
func (i *Inbox) Mails(to string) []Mail {
	i.mu.Lock()
	defer i.mu.Unlock()
	found := []Mail{}
	for _, m := range slices.Backward(i.mails) {
		if to == "" || slices.Contains(m.To, to) {
			found = append(found, m)
		}
	}
	return found
}

// add stores a mail.
func (i *Inbox) add(m Mail) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.count++
	m.ID = strconv.Itoa(i.count)
	i.mails = append(i.mails, m)
	if len(i.mails) > kept {
		i.mails = slices.Delete(i.mails, 0, len(i.mails)-kept)
	}
}

// session is one connection of an SMTP client.
type session struct {
	inbox *Inbox
	from  string
	to    []string
}

// Mail starts a mail.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from, s.to = from, nil
	return nil
}

// Rcpt adds a recipient.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

// Data receives the mail.
func (s *session) Data(r io.Reader) error {
	m, err := parse(io.LimitReader(r, maxMail))
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "The mail cannot be read"}
	}
	m.To, m.ReceivedAt = s.to, time.Now().UTC()
	s.inbox.add(m)
	return nil
}

// Reset discards the mail in progress.
func (s *session) Reset() { s.from, s.to = "", nil }

// Logout ends the session.
func (*session) Logout() error { return nil }
