package main

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestWebhook(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		folder := t.TempDir()
		database := dsn
		if u, err := url.Parse(dsn); err == nil && u.Scheme != "" {
			u.User, u.RawQuery = nil, ""
			database = u.String()
		}
		shop := one(t, "project", "create", "-json", "-any-origin")
		run := func(args ...string) string {
			t.Helper()
			code, out, errOut := ask(t, append(append([]string{"webhook"}, args...), "-data_dir", folder)...)
			if code != exitOK || errOut != "" {
				t.Fatalf("%v: exit %d\n%s%s", args, code, out, errOut)
			}
			return out
		}
		var made struct{ ID, Secret string }
		if err := json.Unmarshal([]byte(run("create", shop.ID, "-json", "-url", "https://shop.test/webhooks", "-kind", "order.paid", "-kind", "user.created", "-kind", "transaction.confirmed", "-kind", "transaction.failed")), &made); err != nil {
			t.Fatal(err)
		}

		t.Run("create prints the database and the secret", func(t *testing.T) {
			out := run("create", shop.ID, "-url", "https://shop.test/other")
			if !strings.HasPrefix(out, "Written to "+database+".\nID ") || !strings.Contains(out, "\nSecret: whsec_") || !strings.HasPrefix(made.Secret, "whsec_") {
				t.Error(out)
			}
		})

		t.Run("list has no secret", func(t *testing.T) {
			out := run("list", shop.ID)
			if !strings.Contains(out, made.ID+"  https://shop.test/webhooks  true     0         0        0") || !strings.Contains(out, "order.paid,user.created,transaction.confirmed,transaction.failed\n") || strings.Contains(out, "whsec_") {
				t.Error(out)
			}
			if lines := strings.Count(run("list", shop.ID, "-json"), "\n"); lines != 2 {
				t.Errorf("%d lines", lines)
			}
		})

		t.Run("rotate prints another secret", func(t *testing.T) {
			out := run("rotate", made.ID, "-keep", "1h")
			if !strings.HasPrefix(out, "Written to "+database+".\n") || !strings.Contains(out, "\nSecret: whsec_") || strings.Contains(out, made.Secret) {
				t.Error(out)
			}
		})

		t.Run("disable and enable", func(t *testing.T) {
			if out := run("disable", made.ID); !strings.HasPrefix(out, "Written to "+database) || !strings.Contains(out, "https://shop.test/webhooks  false") {
				t.Error(out)
			}
			if out := run("enable", made.ID); !strings.Contains(out, "https://shop.test/webhooks  true") {
				t.Error(out)
			}
		})

		t.Run("deliveries are listed and replayed", func(t *testing.T) {
			db := storetest.Open(t, dsn)
			if err := db.InTx(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), `INSERT INTO webhooks_deliveries
					(endpoint, project, message_id, kind, account, body, state, attempts, last_status, last_error, created_at, expires_at, ended_at)
					VALUES ($1, $2, 'msg_1', 'order.paid', '0xa', '{}', 'failed', 3, 500, '', $3, $3, $3)`, made.ID, shop.ID, time.Now().Add(-time.Hour).UnixMilli())
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if out := run("deliveries", shop.ID, "-state", "failed"); !strings.Contains(out, "\n1   "+made.ID+"  order.paid  failed  3         500   ") {
				t.Error(out)
			}
			from := time.Now().Add(-2 * time.Hour).UTC().Format(time.RFC3339)
			if out := run("replay", shop.ID, "-from", from, "-failed"); out != "1 webhooks wait in "+database+" to be sent again.\n" {
				t.Error(out)
			}
			if out := run("deliveries", shop.ID, "-state", "failed", "-json"); out != "" {
				t.Error(out)
			}
		})

		t.Run("delete", func(t *testing.T) {
			if out := run("delete", made.ID); out != "Deleted from "+database+".\n" {
				t.Error(out)
			}
		})

		t.Run("wallet rewrap has the secrets", func(t *testing.T) {
			if code, out, errOut := ask(t, "wallet", "rewrap", "-data_dir", folder); code != exitOK || !strings.HasPrefix(out, "0 values in "+database) {
				t.Errorf("exit %d: %s%s", code, out, errOut)
			}
		})

		t.Run("a command without the key that sealed the others adds nothing", func(t *testing.T) {
			code, _, errOut := ask(t, "webhook", "create", shop.ID, "-url", "https://shop.test/", "-data_dir", t.TempDir())
			if code != exitFailed || !strings.Contains(errOut, "is not configured") {
				t.Errorf("exit %d: %s", code, errOut)
			}
		})

		for args, want := range map[string]struct {
			code int
			text string
		}{
			"create":            {exitUsage, "webhook create wants the id of a project first"},
			"rotate -keep 1h":   {exitUsage, "webhook rotate wants the id of an endpoint first"},
			"create " + shop.ID: {exitUsage, "webhook create wants -url"},
			"create nonsense -url https://shop.test/":                         {exitUsage, "id: "},
			"create ffffffffffffffffffffffffffffffff -url https://shop.test/": {exitFailed, "there is no project ffffffffffffffffffffffffffffffff"},
			"create " + shop.ID + " -url http://shop.test/":                   {exitUsage, "url: it does not begin with https://"},
			"create " + shop.ID + " -url https://shop.test/ -kind order.lost": {exitUsage, "kinds: one of them is none of"},
			"rotate " + made.ID:                      {exitFailed, "there is no endpoint " + made.ID},
			"rotate " + made.ID + " -keep 1000h":     {exitUsage, "-keep is not between 0 and 720h0m0s"},
			"enable " + made.ID:                      {exitFailed, "there is no endpoint"},
			"delete " + made.ID:                      {exitFailed, "there is no endpoint"},
			"deliveries " + shop.ID + " -state lost": {exitUsage, "-state is not waiting, delivered or failed"},
			"deliveries " + shop.ID + " -limit 0":    {exitUsage, "-limit is not between 1 and 1000"},
			"replay " + shop.ID:                      {exitUsage, "webhook replay wants either -delivery or -from"},
			"replay " + shop.ID + " -delivery 9":     {exitFailed, "there is no such delivery, or it has not ended"},
			"replay " + shop.ID + " -from yesterday": {exitUsage, "yesterday"},
		} {
			if code, out, errOut := ask(t, append([]string{"webhook"}, strings.Fields(args)...)...); code != want.code || !strings.Contains(errOut, want.text) {
				t.Errorf("%s: exit %d\n%s%swant %s", args, code, out, errOut, want.text)
			}
		}
	})
}

func TestWebhookMakesNoDatabase(t *testing.T) {
	file := storetest.SQLite(t)
	t.Setenv("HAWSER_STORE_DSN", file)
	const id = "00000000000000000000000000000001"
	for _, args := range []string{"create " + id + " -url https://shop.test/", "list " + id, "deliveries " + id, "replay " + id + " -delivery 1", "rotate x", "enable x", "disable x", "delete x"} {
		want := "hawser: there is no database at " + file + ": run this in the folder of the suite, or name its configuration by -config\n"
		if code, _, errOut := ask(t, append([]string{"webhook"}, strings.Fields(args)...)...); code != exitFailed || errOut != want {
			t.Errorf("%s: exit %d\n%swant\n%s", args, code, errOut, want)
		}
	}
}
