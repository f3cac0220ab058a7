package mail_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/development/inbox"
	"github.com/hawser-dev/hawser/services/wallet/mail"
)

// local returns the configuration of a server on this machine.
func local(port int) mail.Config {
	cfg := mail.DefaultConfig()
	cfg.Host, cfg.Port, cfg.TLS = "127.0.0.1", port, "none"
	return cfg
}

// open returns a mailer and the inbox that it sends to.
func open(t *testing.T, templates map[string]string) (*mail.Mailer, *inbox.Inbox, error) {
	t.Helper()
	box, err := inbox.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = box.Serve(t.Context()) })
	t.Cleanup(serving.Wait)
	cfg := local(box.Port())
	cfg.From = "Shop <login@shop.example>"
	if templates != nil {
		cfg.Templates = t.TempDir()
		for name, text := range templates {
			if err := os.WriteFile(filepath.Join(cfg.Templates, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	m, err := mail.New(cfg)
	return m, box, err
}

func TestEveryMailHasATextAndAnHTMLPart(t *testing.T) {
	m, inbox, err := open(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []mail.Kind{mail.Code, mail.Device, mail.OldEmail, mail.NewEmail, mail.EmailChanged, mail.AccountChanged} {
		data := mail.Data{
			Code: "012345", Link: "https://wallet.example.org/approve-device?projectId=1#token=abc", Words: "amber falcon", Minutes: 10,
			Browser: "<b>Firefox</b>", System: "Linux", Site: "https://shop.example", Network: "192.0.2.0/24", NewEmail: "new@example.org", Time: time.Unix(0, 0).UTC(),
		}
		if err := m.Send(t.Context(), kind, "alice@example.org", data); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		got := inbox.Mails("alice@example.org")[0]
		if got.Subject == "" || got.Text == "" || !strings.HasPrefix(got.HTML, "<!doctype html>") || !strings.Contains(got.From, "login@shop.example") {
			t.Errorf("%s: %+v", kind, got)
		}
		if strings.Contains(got.HTML, "<b>Firefox") {
			t.Errorf("%s: what the device says is not escaped", kind)
		}
		if kind == mail.Device && (!strings.Contains(got.Text, data.Link) || !strings.Contains(got.Text, data.Words) || !strings.Contains(got.HTML, "#token=abc")) {
			t.Errorf("%s: %s", kind, got.Text)
		}
	}
}

func TestAnOperatorReplacesTemplates(t *testing.T) {
	m, inbox, err := open(t, map[string]string{"code.txt": "Subject: Dein Code\n\nDein Code ist {{.Code}}.\n"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Send(t.Context(), mail.Code, "alice@example.org", mail.Data{Code: "012345"}); err != nil {
		t.Fatal(err)
	}
	if got := inbox.Mails("")[0]; got.Subject != "Dein Code" || strings.TrimSpace(got.Text) != "Dein Code ist 012345." || !strings.Contains(got.HTML, "Your sign-in code") {
		t.Errorf("%+v", got)
	}
	for name, text := range map[string]string{"code.txt": "no subject", "code.html": "{{.Unknown}}", "device.txt": "{{"} {
		if _, _, err := open(t, map[string]string{name: text}); err == nil {
			t.Errorf("the template %s with %q is accepted", name, text)
		}
	}
}

func TestAFailureToSendDoesNotNameTheRecipient(t *testing.T) {
	cfg := local(1)
	m, err := mail.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"alice@example.org", "alice@example.org\r\nBcc: bob@example.org"} {
		if err := m.Send(t.Context(), mail.Code, to, mail.Data{}); err == nil || strings.Contains(err.Error(), "alice") {
			t.Errorf("err = %v", err)
		}
	}
}
