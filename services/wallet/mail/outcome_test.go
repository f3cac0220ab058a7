package mail_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/hawser-dev/hawser/services/wallet/mail"
)

// smtpServer answers the commands of one connection with the replies of RFC 5321, or with those in replies, by command.
// An empty reply closes the connection; the reply to "" is the greeting. It returns the port.
func smtpServer(t *testing.T, replies map[string]string) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		lines := bufio.NewScanner(conn)
		usual := map[string]string{
			"": "220 mail.test", "EHLO": "250-mail.test\r\n250 AUTH CRAM-MD5", "AUTH": "334 Y2hhbGxlbmdl", "MAIL": "250 ok", "RCPT": "250 ok", "DATA": "354 go on", ".": "250 queued",
			"NOOP": "250 ok", "RSET": "250 ok", "*": "501 canceled", "QUIT": "221 bye",
		}
		for verb, inData := "", false; ; {
			reply, changed := replies[verb]
			if !changed {
				reply = usual[verb]
			}
			switch {
			case changed && reply == "":
				return
			case !inData && reply == "": // the answer to the challenge
				reply = "235 welcome"
			}
			if inData = inData || strings.HasPrefix(reply, "354"); verb == "." {
				inData = false
			}
			if reply != "" {
				fmt.Fprintf(conn, "%s\r\n", reply)
			}
			if !lines.Scan() {
				return
			}
			if verb, _, _ = strings.Cut(lines.Text(), " "); inData && verb != "." {
				verb = "a line"
			}
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-served })
	return listener.Addr().(*net.TCPAddr).Port
}

// outcomes returns the outcome of each call that is measured while do runs.
func outcomes(t *testing.T, do func()) (found []string) {
	t.Helper()
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	defer otel.SetMeterProvider(before)
	do()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			for _, point := range m.Data.(metricdata.Histogram[float64]).DataPoints {
				outcome, _ := point.Attributes.Value("outcome")
				found = append(found, outcome.AsString())
			}
		}
	}
	return found
}

func TestTheOutcomeOfAMailIsWhatTheServerReplied(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		replies map[string]string
		want    string
	}{
		"takes it":                           {nil, "ok"},
		"takes it, and does not say goodbye": {map[string]string{"QUIT": ""}, "ok"},
		"takes it, and goes":                 {map[string]string{"RSET": ""}, "ok"},
		"is too busy to talk":                {map[string]string{"": "421 4.3.2 try again later"}, "failed"},
		"does not talk to this address":      {map[string]string{"": "554 5.7.1 blocked"}, "denied"},
		"does not take the password":         {map[string]string{"AUTH": "535 5.7.8 bad credentials"}, "denied"},
		"cannot check the password":          {map[string]string{"AUTH": "454 4.7.0 try again later"}, "failed"},
		"does not take the sender":           {map[string]string{"MAIL": "550 5.7.1 not your domain"}, "denied"},
		"refuses the recipient":              {map[string]string{"RCPT": "550 5.1.1 no such user"}, "refused"},
		"requires a login for the recipient": {map[string]string{"RCPT": "530 5.7.0 authentication required"}, "denied"},
		"defers the recipient":               {map[string]string{"RCPT": "450 4.2.0 greylisted"}, "failed"},
		"takes the mail for spam":            {map[string]string{".": "554 5.7.1 spam"}, "refused"},
		"has no room":                        {map[string]string{".": "452 4.3.1 no room"}, "failed"},
		"breaks the connection":              {map[string]string{"RCPT": ""}, "unreachable"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			got := outcomes(t, func() {
				cfg := local(smtpServer(t, tt.replies))
				cfg.User, cfg.Password = "shop", "secret"
				m, err := mail.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				if err := m.Send(t.Context(), mail.Code, "alice@example.org", mail.Data{}); (err == nil) != (tt.want == "ok") {
					t.Errorf("it fails with %v", err)
				}
			})
			if len(got) != 1 || got[0] != tt.want {
				t.Errorf("got %q, want %s", got, tt.want)
			}
		})
	}
}

func TestTheOutcomeOfAMailWhoseCallerLeftIsNoFault(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	got := outcomes(t, func() {
		m, err := mail.New(local(listener.Addr().(*net.TCPAddr).Port))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Send(ctx, mail.Code, "alice@example.org", mail.Data{}); err == nil {
			t.Error("it was sent")
		}
	})
	if len(got) != 1 || got[0] != "canceled" {
		t.Errorf("got %q", got)
	}
}
